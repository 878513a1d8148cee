/** The state of the board. Immutable: each step shares unchanged parts. */

import type {
  AppealMade,
  BallBowled,
  BatterLine,
  ChanceChanged,
  Extras,
  Replacement,
  ReviewTaken,
  TeamSheet,
} from './events.gen';

export type By<T> = Readonly<Record<string, T>>;

export interface BowlerLine {
  readonly name: string;
  readonly balls: number;
  readonly maidens: number;
  readonly runs: number;
  readonly wickets: number;
  readonly wides: number;
  readonly noballs: number;
}

/** The fall of a wicket at `runs`, after `balls` legal balls. */
export interface Fall {
  readonly runs: number;
  readonly name: string;
  readonly balls: number;
}

export interface Innings {
  readonly number: number;
  readonly batting: string;
  readonly bowling: string;
  readonly overs: number;
  readonly superOver: boolean;
  readonly target: number | null;
  /** Legal balls of the powerplay; 0 if they are not known. */
  readonly powerplay: number;
  /** Maximum number of overs of a bowler. */
  readonly quota: number;
  readonly runs: number;
  readonly wickets: number;
  /** Legal balls. */
  readonly balls: number;
  readonly extras: Extras;
  /** In batting order. */
  readonly batters: readonly BatterLine[];
  readonly bowlers: readonly BowlerLine[];
  readonly fall: readonly Fall[];
  /** [runs, wickets] of each completed over. */
  readonly byOver: readonly (readonly [number, number])[];
  /** Why the innings ended; null while it continues. */
  readonly closed: string | null;
}

/** The state between two balls. */
export interface Now {
  readonly striker: string | null;
  readonly nonStriker: string | null;
  readonly bowler: string | null;
  readonly preset: string | null;
  /** Position -> fielder, '' if only the position is known; without bowler and wicket-keeper. */
  readonly places: By<string>;
  /** The restriction that the field breaks. */
  readonly breach: string | null;
  readonly thisOver: readonly string[];
  /** Runs and balls of the current pair. */
  readonly partnership: readonly [number, number];
  readonly freeHit: boolean;
  /** Unsuccessful reviews left by seat; null if they are not known. */
  readonly reviews: By<number | null>;
  /** The decision that waits for a review. */
  readonly appeal: AppealMade | null;
  /** The result of the review of the last ball, before the ball counts. */
  readonly review: ReviewTaken | null;
}

/** The state of the ground: the last ball and its field, until the field is set for the next ball. */
export interface Scene {
  /** The number of the innings; 0 before the first. */
  readonly innings: number;
  readonly ball: BallBowled | null;
  readonly striker: string | null;
  readonly nonStriker: string | null;
  readonly bowler: string | null;
  readonly places: By<string>;
}

/** An entry of the commentary. */
export type Entry =
  | { readonly kind: 'ball'; readonly seq: number; readonly ball: BallBowled; readonly milestones: readonly string[] }
  | { readonly kind: 'over'; readonly seq: number; readonly summary: OverSummary }
  | {
      readonly kind: 'choice';
      readonly seq: number;
      readonly seat: string;
      readonly what: 'bowler' | 'field' | 'plan';
      readonly text: string;
    }
  | { readonly kind: 'note'; readonly seq: number; readonly text: string; readonly key: boolean };

export interface OverSummary {
  readonly innings: number;
  /** Counted from 1. */
  readonly over: number;
  readonly runs: number;
  readonly wickets: number;
  readonly maiden: boolean;
  readonly marks: readonly string[];
  readonly total: readonly [runs: number, wickets: number];
  readonly bowler: BowlerLine;
  readonly batters: readonly BatterLine[];
}

/** The home side's win probability after an event; `ball` is null if the event was no ball. */
export interface Chance extends Omit<ChanceChanged, 'ball'> {
  readonly seq: number;
  readonly ball: BallBowled | null;
  /** Legal balls of the innings up to then. */
  readonly balls: number;
}

/** How often a captain did something, beside what is usual. */
export interface Habit {
  readonly times: number;
  /** How often it could have been done. */
  readonly chances: number;
  /** How often it would usually have been done, and the variance of that. */
  readonly expected: number;
  readonly variance: number;
}

export interface Captaincy {
  /** The overs that began with a slip. */
  readonly slip: Habit;
  /** The balls on which the batters were asked to attack, and those on which they were asked for care. */
  readonly attack: Habit;
  readonly care: Habit;
  /** Whether the captain plans overs; the record is that of the plans then, else that of the calls of each over. */
  readonly plans: boolean;
  /** Plans, or overs, that gained and that lost something; those that made no difference are left out. */
  readonly worked: number;
  readonly failed: number;
  readonly worth: number;
  /** The calls of the over so far: whether there were any, and what they were worth. */
  readonly over: { readonly called: boolean; readonly worth: number };
  readonly reviews: { readonly taken: number; readonly won: number };
}

export interface State {
  /** Overs per side at the start; 0 if not known. */
  readonly overs: number;
  /** How the target was revised, or null. */
  readonly method: string | null;
  readonly teams: By<TeamSheet>;
  /** The impact player of a side, once he has come in. */
  readonly replaced: By<Replacement>;
  readonly toss: { readonly winner: string; readonly decision: string | null } | null;
  readonly innings: readonly Innings[];
  readonly now: Now;
  /** The last ball bowled. */
  readonly last: BallBowled | null;
  readonly scene: Scene;
  /** The result of the review of the last ball, or null. */
  readonly review: ReviewTaken | null;
  readonly log: readonly Entry[];
  /** Empty for a record without win probabilities. */
  readonly chances: readonly Chance[];
  /** Seat -> what its captain's calls show so far; null where the start of the match is not known. */
  readonly captains: By<Captaincy> | null;
  readonly result: string | null;
}

export const NOBODY: Now = {
  striker: null,
  nonStriker: null,
  bowler: null,
  preset: null,
  places: {},
  breach: null,
  thisOver: [],
  partnership: [0, 0],
  freeHit: false,
  reviews: {},
  appeal: null,
  review: null,
};

export const EMPTY: State = {
  overs: 0,
  method: null,
  teams: {},
  replaced: {},
  toss: null,
  innings: [],
  now: NOBODY,
  last: null,
  scene: { innings: 0, ball: null, striker: null, nonStriker: null, bowler: null, places: {} },
  review: null,
  log: [],
  chances: [],
  captains: {},
  result: null,
};

/** Return the current innings, or the last one. */
export function current(state: State): Innings | undefined {
  return state.innings.at(-1);
}

/** Return the balls of an innings that have arrived, in order. */
export function ballsOf(state: State, innings: number): BallBowled[] {
  return state.log.flatMap((entry) => (entry.kind === 'ball' && entry.ball.innings === innings ? [entry.ball] : []));
}
