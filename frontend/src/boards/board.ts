/**
 * The interface between the page and a game's board. The page knows frames, numbers and time; a board knows one game. A
 * board is one folder here and one line in `registry.ts`. Its state is immutable: `reduce` returns a new state that
 * shares unchanged parts, so that the page can keep the state of every event and show any of them at once.
 */

import type { Component } from 'svelte';

import type { Answer } from '../seat/answer.svelte';
import type { EpisodeSummary, Event, RecordedDecision, SeatView, SettingChange } from '../types.gen';

/** A mark on the timeline. `weight` 3 is for the rarest moments, such as the end of the match. */
export interface Marker {
  kind: 'dislodgement' | 'capture' | 'elimination' | 'win' | 'betrayal' | 'boundary' | 'wicket' | 'note';
  /** A short sentence for the tooltip and for screen readers. */
  label: string;
  seat?: string;
  weight: 1 | 2 | 3;
}

/**
 * The outcome of a promise, which is one of the `promises` of a message of `seat` in `turn`, for the same recipients.
 */
export interface PromiseOutcome {
  seat: string;
  turn: string;
  promise: string;
  recipients: readonly string[];
  public: boolean;
  /** `lie`: its sender noted, for itself alone, that it does not mean it. */
  outcome: 'kept' | 'broken' | 'replaced' | 'lie';
}

/** The notes that a seat's player keeps for itself, and its trust in other seats from -2 to 2. */
export interface SeatNotes {
  seat: string;
  turn: string;
  text: string;
  trust: Readonly<Record<string, number>>;
  /** Parts of what the player wrote that could not be kept. */
  leftOut: readonly string[];
}

/** The appearance of a seat outside the board: in the lobby, the score strip, the press and the timeline. */
export interface SeatLook {
  name: string;
  /** Three letters, where space is limited. */
  short: string;
  /** A CSS colour that is readable in both themes: use `light-dark()`. */
  colour: string;
}

/**
 * The milliseconds in which a change unfolds: its picture, and then the time from the score to the words about it. A
 * score, a word or a chance is never told before the picture has shown it.
 */
export interface Unfolding {
  readonly picture: number;
  readonly score: number;
}

/** Some steps of a training run, and a player who has a seat in their matches. */
export interface StepQuery {
  readonly first: number;
  readonly last: number;
  readonly player?: string;
}

/** A decision that was recorded for training, with its seat and turn in words and its address. */
export interface DecisionLink extends RecordedDecision {
  readonly href: string;
}

/** The matches of a training run that were published to this server. */
export interface TrainingMatches {
  /** Return the newest matches of these steps, and the number of all. */
  list(query: StepQuery): Promise<{ readonly episodes: readonly EpisodeSummary[]; readonly total: number }>;
  /** Return the recorded decisions of a match. */
  decisions(match: EpisodeSummary): Promise<readonly DecisionLink[]>;
}

/** The place of a training run in the experiment that it is a run of. */
export interface ExperimentPlace {
  /** The arm and the seed of the run: `B: warm-up, seed 1`. */
  readonly name: string;
  /** The title of the experiment, and the address of its page. */
  readonly experiment: string;
  readonly href: string;
  /** Whether the arm is the one that the others are compared with. */
  readonly baseline: boolean;
  /** The settings in which the arm differs from the baseline. */
  readonly changes: readonly SettingChange[];
  /** The arm with whose policy it begins, or ''. */
  readonly parent: string;
}

export interface BoardProps<S> {
  episode: EpisodeSummary;
  state: S;
  /** The state whose score may be told: the one before `state` while the picture unfolds. Default: `state`. */
  scored?: S;
  /** The state that may be told in words. Default: `state`. */
  narrated?: S;
  /** The speed of the animation, 1 for the usual one. */
  rate?: number;
  /** The state shown before, if this one is a single step after it; else null. */
  previous: S | null;
  /** Whether to animate the change from `previous`: one step forward, live or played back, with motion allowed. */
  animate: boolean;
  /** Show another moment, if the page can: `seq` is the number of its event. */
  look?(seq: number): void;
  /** The published matches of a training run, if the page can ask for them. */
  matches?: TrainingMatches;
  /** The place of a training run in an experiment, if it has one. */
  place?: ExperimentPlace | null;
}

/** The properties of a board on which a person plays. */
export interface PlayProps<S> extends BoardProps<S> {
  /** The seat's view. */
  view: SeatView;
  /** The answer to the decision that the match waits for; null if it waits for none. The seat's panel has the same. */
  answer: Answer | null;
  /** Whether what happened before is still being shown: the seat is asked when it is over. */
  late: boolean;
}

/** A panel beside the board, which is a tab. Its `state` is the one that may be told. */
export interface Panel<S> {
  id: string;
  title: string;
  component: Component<BoardProps<S>>;
}

/** What the score strip shows of a seat beside its count. */
export interface Standing {
  readonly history: readonly number[];
  /** The greatest value of the histories of all seats. */
  readonly most: number;
  /** The change that the count ends with. */
  readonly change: number;
  readonly notes: readonly string[];
  readonly out: boolean;
}

/** A decision of a seat with the change of its chance of winning. */
export interface DecisionValue {
  readonly seq: number;
  readonly seat: string;
  readonly text: string;
  readonly value: number;
}

/** The chances of winning after the event `about`. */
export interface ChancesAt {
  readonly about: number;
  readonly chances: Readonly<Record<string, number>>;
}

/**
 * The interface of a board. Methods may accept the `GameEvent` of its `events.gen.ts`: `switch` narrows it, and events
 * of unknown types reach `default`.
 */
export interface Board<S = unknown> {
  /**
   * Return the state before the first event if `whole` is null. Otherwise return the state of a snapshot; `whole` is
   * the `state` field of the game's last event that has one.
   */
  initial(episode: EpisodeSummary, whole: unknown): S;
  /** Return the state after `event`. Pure. Core events and events of unknown types return `state` itself. */
  reduce(state: S, event: Event): S;
  markers(event: Event, before: S): Marker[];
  /**
   * Return a sentence about `event` for the log and for screen readers, or '' if it needs none. An event with a
   * sentence is a step of ←, → and playback.
   */
  describe(event: Event, before: S): string;
  /** Types of events that have a sentence but are no step, such as preparations of a move. */
  minor?: ReadonlySet<string>;
  /** Return a text of the rules with the game's notation replaced by words. */
  words?(text: string): string;
  /** Return the time in which the board animates the change from `before` to `after`; without it, none. */
  unfold?(before: S, after: S): Unfolding;
  /** Return the chapter of the story that a turn belongs to: `1903`, `Over 4`. Without it, each turn is a chapter. */
  chapter?(turn: string): string;
  /** Return the chances of winning in a record whose story states none. */
  curve?(state: S): readonly ChancesAt[];
  /** Return the decisions that the game values. */
  decisions?(state: S): readonly DecisionValue[];
  /** Return the outcome of a promise that `event` reports, or null. */
  promise?(event: Event): PromiseOutcome | null;
  /** Return the notes that `event` records, if this viewer may know them, or null. */
  notes?(event: Event): SeatNotes | null;
  /** Return a promise in words. */
  promiseWords?(promise: string): string;
  /** Return the appearance of a seat; `state`, if given, may contain its name in the match. */
  seat(id: string, state?: S): SeatLook;
  /** Whether a seat is a side of several players, which takes the plural: `Redstone Lynxes win`. */
  sides?: boolean;
  /** Return the full name of a turn, `S1901M` -> `Spring 1901, moves`, and a short one for the timeline, `1901`. */
  turn(turn: string): { title: string; tick: string };
  /**
   * Return a score as a text for the lobby, and for boards without `tally`. In most games, scores are shares of one
   * point.
   */
  score(score: number): string;
  /** Return a short count for the score strip if it is not the score: centres owned, runs scored. */
  tally?(state: S, seat: string): string;
  /** Return the count for the strip above the board, where it differs: '' if the board itself shows it. */
  strip?(state: S, seat: string): string;
  /** Return what else the score strip shows of a seat: its history, its last change, and short notes. */
  standing?(state: S, seat: string): Standing;
  /** Return the state of play in one line, which is shown when the match neither waits for a seat nor has ended. */
  line?(state: S): string;
  /** Return the seats that have made their decision of the turn, if this is public. */
  ready?(state: S): readonly string[];
  /** Return whether players may write to each other; without this method, they may. */
  press?(episode: EpisodeSummary): boolean;
  /**
   * The terms of an episode that is not a match: its noun, the name of the time before its first turn, and whether an
   * operator can pause, resume and stop it.
   */
  terms?: { noun: string; before: string; steered?: boolean };
  /** The width of the board divided by its height, which reserves its space before it is drawn. */
  aspect: number;
  /** Whether the board is as high as its content where the page itself scrolls, on a phone. Not used in the lobby. */
  flows?: boolean;
  component: Component<BoardProps<S>>;
  /**
   * Replaces `component` while a person at this page is asked for a decision: the board with a layer on which the
   * decision is made. The seat's panel always offers a form as well.
   */
  play?: Component<PlayProps<S>>;
  panels: Panel<S>[];
  /** A small version of the board for the lobby. */
  card: Component<BoardProps<S>>;
}

/**
 * What cards and lists need of a board, without its parts that only the page of a match draws: a chunk of its own.
 */
export type LightBoard<S = unknown> = Omit<Board<S>, 'component' | 'play' | 'panels'>;

/** Return `board` with the seat names of `state`. */
export function called<S, B extends LightBoard<S>>(board: B, state: S): B {
  return { ...board, seat: (id) => board.seat(id, state) };
}

/** Return the count of `seat`: the board's tally of `state`, or the score, or `–`. */
export function figure<S>(
  board: LightBoard<S>,
  scores: Readonly<Record<string, number>>,
  state: S | undefined,
  seat: string,
): string {
  const tally = state === undefined ? undefined : board.tally?.(state, seat);
  const score = scores[seat];
  return tally ?? (score === undefined ? '–' : board.score(score));
}
