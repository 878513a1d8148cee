/* Written by scripts/generate_types.py from games/cricket. Do not edit: change the source and run it again. */

/**
 * The data of the events of cricket, by type.
 */
export interface GameEvents {
  MatchStarted: MatchStarted;
  TossMade: TossMade;
  InningsStarted: InningsStarted;
  SuperOverStarted: SuperOverStarted;
  BatterArrived: BatterArrived;
  BatterRetired: BatterRetired;
  BowlerChosen: BowlerChosen;
  FieldSet: FieldSet;
  OverPlanned: OverPlanned;
  SituationAnalyzed: SituationAnalyzed;
  AppealMade: AppealMade;
  ReviewTaken: ReviewTaken;
  BallBowled: BallBowled;
  ChanceChanged: ChanceChanged;
  OverEnded: OverEnded;
  PlayInterrupted: PlayInterrupted;
  InningsEnded: InningsEnded;
  MatchDecided: MatchDecided;
}
/**
 * The two sides walk out: `state` carries the sheets, the format and the toss winner.
 */
export interface MatchStarted {
  toss_winner: string;
  state?: unknown;
}
/**
 * TossMade(winner: 'SeatId', decision: 'str')
 */
export interface TossMade {
  winner: string;
  decision: string;
}
/**
 * InningsStarted(innings: 'int', batting: 'SeatId', bowling: 'SeatId', overs: 'int', target: 'int | None', powerplay: 'int', quota: 'int', reviews: 'int')
 */
export interface InningsStarted {
  innings: number;
  batting: string;
  bowling: string;
  overs: number;
  target?: number | null;
  powerplay: number;
  quota: number;
  reviews: number;
}
/**
 * The scores are level; `number` counts Super Overs, two innings each, from 1.
 */
export interface SuperOverStarted {
  number: number;
  first: string;
}
/**
 * BatterArrived(innings: 'int', batter: 'str', position: 'int', striker: 'bool')
 */
export interface BatterArrived {
  innings: number;
  batter: string;
  position: number;
  striker: boolean;
}
/**
 * BatterRetired(innings: 'int', batter: 'str', kind: 'str', score: 'list[int]')
 */
export interface BatterRetired {
  innings: number;
  batter: string;
  kind: string;
  score: number[];
}
/**
 * BowlerChosen(innings: 'int', over: 'int', bowler: 'str', replaces: 'str | None' = None)
 */
export interface BowlerChosen {
  innings: number;
  over: number;
  bowler: string;
  replaces?: string | null;
}
/**
 * FieldSet(innings: 'int', preset: 'str | None', places: 'dict[str, str]', outside: 'int', breach: 'str | None' = None)
 */
export interface FieldSet {
  innings: number;
  preset?: string | null;
  places: {
    [k: string]: string;
  };
  outside: number;
  breach?: string | null;
}
/**
 * A captain's plan for an over, known to that side only.
 */
export interface OverPlanned {
  seat: string;
  innings: number;
  over: number;
  plan: {
    [k: string]: unknown;
  };
}
/**
 * The numbers a captain asked for, known to that side only.
 */
export interface SituationAnalyzed {
  seat: string;
  analysis: {
    [k: string]: unknown;
  };
}
/**
 * A decision that a side may send upstairs; the ball is not over until that side has chosen.
 */
export interface AppealMade {
  innings: number;
  ball: string;
  kind: string;
  batter: string;
  bowler: string;
  given_out: boolean;
  may_review: string;
  evidence: string;
  reviews_left: number;
}
/**
 * ReviewTaken(innings: 'int', ball: 'str', seat: 'SeatId', kind: 'str', upheld: 'bool', umpires_call: 'bool', out: 'bool', reviews_left: 'int')
 */
export interface ReviewTaken {
  innings: number;
  ball: string;
  seat: string;
  kind: string;
  upheld: boolean;
  umpires_call: boolean;
  out: boolean;
  reviews_left: number;
}
/**
 * One delivery as it counted, with all that a page draws and a voice says.
 *
 * Metres; `pitch` is [offside x from middle stump, y from the striker's stumps]; `hit` is [degrees from straight past
 * the bowler, leg side positive; distance], batter-relative. Cards: batter [runs, balls, 4s, 6s], bowler [balls,
 * maidens, runs, wickets], score [runs, wickets, legal balls].
 */
export interface BallBowled {
  innings: number;
  ball: string;
  batter: string;
  non_striker: string;
  bowler: string;
  runs: number;
  total: number;
  mark: string;
  extras?: {
    [k: string]: number;
  } | null;
  wicket?: {
    [k: string]: unknown;
  } | null;
  boundary: boolean;
  free_hit: boolean;
  noball_for?: string | null;
  aim: string[];
  landed: string[];
  variation: string;
  intent: string;
  shot: string;
  played?: string | null;
  kmh: number;
  pitch: number[];
  hit?: number[] | null;
  zone?: string | null;
  fielder?: string | null;
  batter_card: number[];
  bowler_card: number[];
  score: number[];
  partnership: number[];
  need?: number | null;
  next_free_hit: boolean;
}
/**
 * The home side's chance of winning, between average players, after a ball or whatever else moved it.
 *
 * `swing` is the change since the last such event. It is the sum of `matchup` (who met whom), of `luck` and of the
 * decisions' deltas, each of which is from its own seat's view: added for home, subtracted for away.
 */
export interface ChanceChanged {
  innings: number;
  ball: string;
  home: number;
  swing: number;
  matchup: number;
  luck: number;
  decisions: {
    [k: string]: unknown;
  }[];
}
/**
 * OverEnded(innings: 'int', over: 'int', bowler: 'str', runs: 'int', wickets: 'int', maiden: 'bool', balls: 'list[str]', score: 'list[int]', state: 'Json')
 */
export interface OverEnded {
  innings: number;
  over: number;
  bowler: string;
  runs: number;
  wickets: number;
  maiden: boolean;
  balls: string[];
  score: number[];
  state?: unknown;
}
/**
 * Weather: the innings is cut to `overs`; a chase gets a revised target by D/L Standard.
 */
export interface PlayInterrupted {
  innings: number;
  overs_lost: number;
  overs: number;
  target?: number | null;
  powerplay: number;
  quota: number;
  method: string;
}
/**
 * InningsEnded(innings: 'int', batting: 'SeatId', runs: 'int', wickets: 'int', balls: 'int', reason: 'str', state: 'Json')
 */
export interface InningsEnded {
  innings: number;
  batting: string;
  runs: number;
  wickets: number;
  balls: number;
  reason: string;
  state?: unknown;
}
/**
 * MatchDecided(winner: 'SeatId | None', result: 'str', by: 'dict[str, int]' = <factory>, method: 'str | None' = None, state: 'Json' = None)
 */
export interface MatchDecided {
  winner?: string | null;
  result: string;
  by: {
    [k: string]: number;
  };
  method?: string | null;
  state?: unknown;
}
