/** The whole public position, as the `state` of MatchStarted, OverEnded, InningsEnded and MatchDecided gives it. */

export interface Whole {
  readonly format: { readonly overs: number; readonly method: string | null };
  /** `toss`, `play`, `review` or `over`. */
  readonly stage: string;
  readonly teams: Readonly<Record<string, Sheet>>;
  readonly toss_winner: string;
  readonly innings: readonly WholeInnings[];
  readonly now: WholeNow | null;
  readonly result: { readonly winners: readonly string[]; readonly text: string } | null;
}

/** A side: its eleven in their usual batting order. `captain` and `keeper` are names. */
export interface Sheet {
  readonly name: string;
  readonly short: string;
  readonly captain: string;
  readonly keeper: string;
  readonly players: readonly SheetPlayer[];
}

export interface SheetPlayer {
  readonly name: string;
  readonly role: string;
  readonly hand: string;
  /** Of bowling, `RFM`; null for who does not bowl. */
  readonly style: string | null;
}

export interface WholeInnings {
  readonly innings: number;
  readonly batting: string;
  readonly overs: number;
  readonly super_over: boolean;
  readonly target: number | null;
  readonly powerplay: number;
  readonly quota: number;
  readonly runs: number;
  readonly wickets: number;
  readonly balls: number;
  readonly extras: Extras;
  readonly batters: readonly BatterLine[];
  /** [name, balls, maidens, runs, wickets, wides, no-balls] */
  readonly bowlers: readonly (readonly [string, number, number, number, number, number, number])[];
  /** [score, name, legal balls] */
  readonly fall: readonly (readonly [number, string, number])[];
  /** [runs, wickets] of each completed over. */
  readonly by_over: readonly (readonly [number, number])[];
  readonly closed: string | null;
}

/** Byes, leg byes, wides, no-balls, penalties, in runs. */
export interface Extras {
  readonly b: number;
  readonly lb: number;
  readonly w: number;
  readonly nb: number;
  readonly p: number;
}

/** Runs, balls, fours, sixes; `out` is null while not out, then the scorecard's words. */
export interface BatterLine {
  readonly name: string;
  readonly r: number;
  readonly b: number;
  readonly f: number;
  readonly s: number;
  readonly out: string | null;
}

/** The ball about to be bowled. */
export interface WholeNow {
  readonly striker: string | null;
  readonly non_striker: string | null;
  readonly bowler: string | null;
  readonly free_hit: boolean;
  readonly field: readonly string[];
  readonly this_over: readonly string[];
  readonly partnership: readonly [number, number];
  readonly reviews: { readonly batting: number; readonly bowling: number };
}
