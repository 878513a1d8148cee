/**
 * What the page knows of a game: all that lists, the log, the timeline and charts need. It is a chunk of its own,
 * without what only the page of a match draws, which `board.ts` adds. The page knows frames, numbers and time. A game's
 * state is immutable: `step` returns a new state that shares unchanged parts, so that the page can keep the state of
 * every event and show any of them at once.
 */

import type { Component } from 'svelte';

import type { Answer } from '../seat/answer.svelte';
import type { EpisodeSummary, Event } from '../types.gen';

/**
 * The interface of a game. Methods may accept the `GameEvent` of its `events.gen.ts`: `switch` narrows it, and events of
 * unknown types reach `default`.
 */
export interface Game<S = unknown> {
  /**
   * Return the state before the first event if `whole` is null. Otherwise return the state of a snapshot; `whole` is
   * the `state` field of the game's last event that has one.
   */
  begin(episode: EpisodeSummary, whole: unknown): S;
  /** Return the state after `event`. Pure. Core events and events of unknown types return `state` itself. */
  step(state: S, event: Event): S;
  /** Return what `event` tells. */
  tell(event: Event, before: S): Told;
  /** Return the names of the game; `state`, if given, may contain those of the match. */
  names(state?: S): Names;
  /**
   * Return what lists and the score strip show of a seat; `score` is its score in the match. The count is '' where it
   * needs a state and there is none yet.
   */
  strip(state: S | undefined, seat: string, score?: number): Strip;
  /** Return the chances of winning in a record whose story states none, and the decisions that the game values. */
  curve?(state: S): Curve;
  /** Return the time in which the board animates the change from `before` to `after`; without it, none. */
  unfold?(before: S, after: S): Unfolding;
  /** The words for the episode as a whole, and what its users can do. */
  terms: Terms<S>;
  /** The width of the board divided by its height, which reserves its space before it is drawn. */
  aspect: number;
  /** What the lobby shows of a campaign; a match has the picture of its moment there. */
  card?: Component<BoardProps<S>>;
}

/** What an event tells. */
export interface Told {
  /** A sentence for the log and for screen readers, or '' if it needs none. */
  readonly text: string;
  /** Whether an event with a sentence is a step of ←, → and playback. An event that only prepares a move is not. */
  readonly step: boolean;
  readonly marks: readonly Marker[];
  /** The outcome of a promise. */
  readonly promise?: PromiseOutcome | null;
  /** The notes of a seat, if this viewer may know them. */
  readonly notes?: SeatNotes | null;
}

/** The names of a game, or of one match. */
export interface Names {
  seat(id: string): SeatLook;
  turn(turn: string): TurnName;
  /** Return a text of the rules with the game's notation replaced by words. */
  words(text: string): string;
  /** Return a promise in words. */
  promise(promise: string): string;
  /** Whether a seat is a side of several players, which takes the plural: `Redstone Lynxes win`. */
  readonly plural: boolean;
}

/** The part of the names of games without a notation of their own. */
export const PLAIN: Pick<Names, 'words' | 'promise' | 'plural'> = {
  words: (text) => text,
  promise: (promise) => promise,
  plural: false,
};

export interface TurnName {
  /** `Spring 1901, moves` */
  readonly title: string;
  /** A short name for the timeline: `1901`. */
  readonly tick: string;
  /** The chapter of the story that the turn belongs to: `1903`, `Over 4`. */
  readonly chapter: string;
  /** The part of the chapter that is told together: `Spring`. Without it, the chapter is one. */
  readonly beat?: string;
}

/** What lists and the score strip show of a seat. */
export interface Strip {
  /** A short count: centres owned, runs scored, or the score. */
  readonly count: string;
  /** The count for the strip above the board, where it differs: '' if the board itself shows it. */
  readonly shown?: string;
  /** What else the score strip shows: the history of the count, its last change, and short notes. */
  readonly standing?: Standing;
  /** Whether the seat has made its decision of the turn, if this is public. */
  readonly ready?: boolean;
  /** Who leads the seat's side within the game, if the state has it. */
  readonly leader?: Leader | null;
}

/** Who leads a side within the game, and what that person has done in this match so far. */
export interface Leader {
  /** `Captain` */
  readonly title: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Curve {
  readonly chances: readonly ChancesAt[];
  readonly decisions: readonly DecisionValue[];
}

export interface Terms<S = unknown> {
  /** `match`, or the word for an episode that is not a match. */
  readonly noun: string;
  /** The name of the time before the first turn. */
  readonly before: string;
  /** Whether players may write to each other. */
  readonly press: boolean;
  /** Whether an operator can pause, resume and stop it. */
  readonly steered: boolean;
  /** Return the state of play in one line, which is shown when the episode neither waits for a seat nor has ended. */
  line?(state: S): string;
}

/** The terms of a match whose players may write to each other. */
export const MATCH: Terms = { noun: 'match', before: 'Before play', press: true, steered: true };

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
  /** The seats that it means to attack or betray in this turn. */
  aims: readonly string[];
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
  /** The colour of the places that it owns in pictures; a mixture if there is none. */
  wash?: string;
}

/**
 * The milliseconds in which a change unfolds: its picture, and then the time from the score to the words about it. A
 * score, a word or a chance is never told before the picture has shown it.
 */
export interface Unfolding {
  readonly picture: number;
  readonly score: number;
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

/** The chances of winning over a match. */
export interface ChanceHistory {
  readonly curve: readonly ChancesAt[];
  /** Return the name of the moment `about`. */
  place(about: number): string;
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
  /** The chances of winning up to the moment told, for a panel. */
  chances?: ChanceHistory;
  /** Show another moment, if the page can: `seq` is the number of its event. */
  look?(seq: number): void;
  /** The answer of the person who plays here to the decision that is due, for a view on which it is given. */
  answer?: Answer | null;
}
