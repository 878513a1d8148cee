/**
 * The seam between the page and a game's board. The page knows frames, numbers and time; a board knows one game.
 *
 * A board is one folder here and one line in `registry.ts`. Its state is immutable: `reduce` returns a new one that
 * shares what did not change, so that the page may keep the state of every event and scrub to any of them at once.
 */

import type { Component } from 'svelte';

import type { EpisodeSummary, Event, SeatView } from '../types.gen';

/** A moment worth a mark on the timeline. `weight` 3 is the rarest: a match won. */
export interface Marker {
  kind: 'dislodgement' | 'capture' | 'elimination' | 'win' | 'betrayal' | 'boundary' | 'wicket' | 'note';
  /** One short plain sentence, for the tooltip and for screen readers. */
  label: string;
  seat?: string;
  weight: 1 | 2 | 3;
}

/** What became of a promise: one of the `promises` of a message of `seat` in `turn`, told to the same seats. */
export interface PromiseTold {
  seat: string;
  turn: string;
  promise: string;
  recipients: readonly string[];
  public: boolean;
  /** `lie`: its sender noted, for itself alone, that it does not mean it. */
  outcome: 'kept' | 'broken' | 'replaced' | 'lie';
}

/** What a seat's player keeps in mind: notes for itself, and its trust in other seats from -2 to 2. */
export interface SeatNotes {
  seat: string;
  turn: string;
  text: string;
  trust: Readonly<Record<string, number>>;
  /** Parts of what the player wrote that could not be kept. */
  leftOut: readonly string[];
}

/** How a seat is shown outside the board: in the lobby, the score strip, the press and the timeline. */
export interface SeatLook {
  name: string;
  /** Three letters, for narrow places. */
  short: string;
  /** A CSS colour that reads on the page's paper in both themes: use `light-dark()`. */
  colour: string;
}

export interface BoardProps<S> {
  episode: EpisodeSummary;
  state: S;
  /** The state shown just before, where this one is a single step forward from it; otherwise null. */
  previous: S | null;
  /** Whether to show the way from `previous`: one step forward, live or played, with motion allowed. */
  animate: boolean;
  /** Look at another moment, where the page can: `seq` is the number of its event. */
  look?(seq: number): void;
}

/** What a seat does on its turn, in the game's own form: `{ orders: ['A PAR - BUR'] }`. */
export type Action = Readonly<Record<string, unknown>>;

/** What a person at the page plays with. */
export interface PlayProps<S> extends BoardProps<S> {
  /** What the seat knows and is asked; `view.legal` is what it may do, in the game's own form. */
  view: SeatView;
  /** The action as chosen so far, not yet sent; null before the first choice. The seat's panel shows the same one. */
  draft: Action | null;
  onchange(draft: Action): void;
  /** Send an action. Rejects with an `ApiError` in the rules' own words, and the seat is then asked on. */
  submit(action: Action): Promise<void>;
}

/** A panel beside the board. `pinned` ones are always in sight, on a desk or only on a wide one; the others share tabs. */
export interface Panel<S> {
  id: string;
  title: string;
  component: Component<BoardProps<S>>;
  pinned?: 'desk' | 'wide';
}

/** A board's methods may take the `GameEvent` of its `events.gen.ts`: `switch` narrows it, and meets unknown types in `default`. */
export interface Board<S = unknown> {
  /**
   * The state before the first event, where `whole` is null; otherwise the state that a snapshot gives, `whole` being
   * the `state` field of the game's last event that had one.
   */
  initial(episode: EpisodeSummary, whole: unknown): S;
  /** The state after `event`. Pure. Events of the house and of kinds unknown to the board return `state` itself. */
  reduce(state: S, event: Event): S;
  markers(event: Event, before: S): Marker[];
  /**
   * What `event` means in one plain sentence, for the log and for screen readers; '' for nothing of interest. An event
   * with a sentence is a step of ←, → and playback.
   */
  describe(event: Event, before: S): string;
  /** Types of events that are told but are no step: preparations, of which there are many between two moves. */
  minor?: ReadonlySet<string>;
  /** A text of the rules in plain words, the game's notation written out. */
  words?(text: string): string;
  /** What `event` says of a promise that a player made; null for nothing. */
  promise?(event: Event): PromiseTold | null;
  /** The notes that `event` records, where this viewer may know them; null for nothing. */
  notes?(event: Event): SeatNotes | null;
  /** A promise in plain words. */
  promiseWords?(promise: string): string;
  /** How a seat is shown; `state`, where there is one, may know the match's own name for it. */
  seat(id: string, state?: S): SeatLook;
  /** A turn's name in full, `S1901M` -> `Spring 1901, moves`; and short, for a tick on the timeline: `1901`. */
  turn(turn: string): { title: string; tick: string };
  /** A score, its share of one point in most games, as shown in the lobby and where there is no `tally`. */
  score(score: number): string;
  /** What the strip counts for a seat where that is not its score: centres held, runs made. Short. */
  tally?(state: S, seat: string): string;
  /** How it stands in one line, for beside the turn's name where nobody is waited for and nothing is decided. */
  line?(state: S): string;
  /** The seats whose choice for the turn is in, where everybody may know it. */
  ready?(state: S): readonly string[];
  /** Whether players may write to each other; where absent, they may. */
  press?(episode: EpisodeSummary): boolean;
  /** What the page calls it where it is not a match that is played: what it is, and the time before its first turn. */
  terms?: { noun: string; before: string };
  /** The width of the board over its height, so that its room is kept before it is drawn. */
  aspect: number;
  /** Whether the board is as high as what is in it where the page itself scrolls, on a phone; in the lobby it is not. */
  flows?: boolean;
  component: Component<BoardProps<S>>;
  /**
   * Shown in place of `component` for as long as a person at this page is asked for a seat's choice: the board with a
   * layer on which the choice is made. Where absent, and always beside it, the seat's panel takes the choice in words.
   */
  play?: Component<PlayProps<S>>;
  panels: Panel<S>[];
  /** The board in small, for the lobby. */
  card: Component<BoardProps<S>>;
}

/** `board` with its seats as they are called in `state`. */
export function called<S>(board: Board<S>, state: S): Board<S> {
  return { ...board, seat: (id) => board.seat(id, state) };
}

/** What is counted for `seat`: the board's tally of `state` where there is one, else the score; `–` for neither. */
export function figure<S>(
  board: Board<S>,
  scores: Readonly<Record<string, number>>,
  state: S | undefined,
  seat: string,
): string {
  const tally = state === undefined ? undefined : board.tally?.(state, seat);
  const score = scores[seat];
  return tally ?? (score === undefined ? '–' : board.score(score));
}
