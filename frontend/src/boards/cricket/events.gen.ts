/* Written by scripts/generate_types.py from games/cricket. Do not edit: change the source and run it again. */
import type {CoreEvents, EventOf} from '../../types.gen';

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
  PlayerReplaced: PlayerReplaced;
  BowlerChosen: BowlerChosen;
  FieldSet: FieldSet;
  OverPlanned: OverPlanned;
  PlanJudged: PlanJudged;
  SituationAnalyzed: SituationAnalyzed;
  AppealMade: AppealMade;
  ReviewTaken: ReviewTaken;
  BallBowled: BallBowled;
  ChanceChanged: ChanceChanged;
  OverEnded: OverEnded;
  PlayInterrupted: PlayInterrupted;
  OverRatePenalized: OverRatePenalized;
  InningsEnded: InningsEnded;
  CricsheetPartRead: CricsheetPartRead;
  MatchDecided: MatchDecided;
}
/**
 * The two sides walk out: `state` carries the sheets, the format and the toss winner.
 */
export interface MatchStarted {
  toss_winner: string;
  state: PublicState;
}
/**
 * The whole public position, as the `state` of an event gives it.
 */
export interface PublicState {
  format: Format;
  turn: string;
  /**
   * toss, play, review or over.
   */
  stage: string;
  teams: {
    [k: string]: TeamSheet;
  };
  toss_winner: string;
  innings: InningsCard[];
  now: BallAhead | null;
  result: Result | null;
  /**
   * The impact players who have come in.
   */
  replaced?: {
    [k: string]: Replacement;
  };
}
/**
 * The kind of match. `method` names how a target was revised; null where none was.
 */
export interface Format {
  overs: number;
  era: string;
  conditions: string;
  method: string | null;
  situation: Situation | null;
  forecast?: DayForecast;
}
/**
 * The scenario that a match began with.
 */
export interface Situation {
  pack: string;
  title: string;
}
/**
 * What the day does to the second innings: its kind, `dew` or `dry`, and a sentence.
 */
export interface DayForecast {
  kind: string;
  words: string;
}
/**
 * A side: its eleven in their usual batting order. `captain` and `keeper` are names; null where not known.
 */
export interface TeamSheet {
  name: string;
  short: string;
  captain: string | null;
  keeper: string | null;
  players: PlayerSheet[];
  /**
   * The substitutes, where the conditions have an impact player.
   */
  bench?: PlayerSheet[];
}
/**
 * A player's public card, with last season's figures.
 */
export interface PlayerSheet {
  name: string;
  role: string | null;
  /**
   * Null, like the role, if the record of a real match lacks it.
   */
  hand: string | null;
  /**
   * The bowling style, `RFM`; null for a player who does not bowl, or if it is unknown.
   */
  style: string | null;
  /**
   * Innings, runs, average, strike rate.
   */
  bat?: number[];
  /**
   * Overs, wickets, and runs an over in the powerplay, the middle and at the death.
   */
  bowl?: number[];
}
/**
 * The scorecard of an innings.
 */
export interface InningsCard {
  innings: number;
  batting: string;
  overs: number;
  super_over: boolean;
  target: number | null;
  /**
   * The number of its legal balls; null if unknown.
   */
  powerplay: number | null;
  /**
   * Most overs a bowler may bowl.
   */
  quota: number;
  runs: number;
  wickets: number;
  balls: number;
  extras: Extras;
  /**
   * In batting order.
   */
  batters: BatterLine[];
  /**
   * [name, balls, maidens, runs, wickets, wides, no-balls]
   */
  bowlers: [string, number, number, number, number, number, number][];
  /**
   * [score, name, legal balls]
   */
  fall: [number, string, number][];
  /**
   * [runs, wickets] of each completed over.
   */
  by_over: [number, number][];
  /**
   * The reason for its end; null until then.
   */
  closed: string | null;
}
/**
 * Byes, leg byes, wides, no-balls, penalties, in runs.
 */
export interface Extras {
  b: number;
  lb: number;
  w: number;
  nb: number;
  p: number;
}
/**
 * Runs, balls, fours, sixes; `out` is null while not out, then the scorecard's words.
 */
export interface BatterLine {
  name: string;
  r: number;
  b: number;
  f: number;
  s: number;
  out: string | null;
}
/**
 * The ball about to be bowled.
 */
export interface BallAhead {
  ball: string;
  batting: string;
  bowling: string;
  striker: string | null;
  non_striker: string | null;
  bowler: string | null;
  last_bowler: string | null;
  free_hit: boolean;
  powerplay: boolean;
  max_outside: number;
  phase: string;
  field: string[];
  this_over: string[];
  balls_left: number;
  need: number | null;
  required_rate: number | null;
  run_rate: number;
  /**
   * [runs, balls]
   *
   * @minItems 2
   * @maxItems 2
   */
  partnership: [number, number];
  reviews: ReviewsLeft;
  clock?: Clock;
  /**
   * The remaining quota by bowler. A part-timer who has not bowled has the whole quota and is left out.
   */
  overs_left: {
    [k: string]: number;
  };
}
/**
 * Unsuccessful reviews that each side may still make; null where not known.
 */
export interface ReviewsLeft {
  batting: number | null;
  bowling: number | null;
}
/**
 * Seconds of play that count against the fielding side, and those within which the last over has to begin.
 */
export interface Clock {
  elapsed: number;
  cut_off: number;
}
/**
 * The end of the match.
 */
export interface Result {
  winners: string[];
  text: string;
  reason: string;
}
/**
 * A side's impact player, the innings in which he came in, and whom he replaced.
 */
export interface Replacement {
  innings: number;
  player: string;
  replaces: string;
}
export interface TossMade {
  winner: string;
  /**
   * bat or field.
   */
  decision: string;
}
export interface InningsStarted {
  innings: number;
  batting: string;
  bowling: string;
  overs: number;
  target?: number | null;
  /**
   * The number of its legal balls; null, like `reviews`, if the record of a real match lacks it.
   */
  powerplay?: number | null;
  /**
   * Most overs a bowler may bowl.
   */
  quota: number;
  /**
   * The number of unsuccessful reviews that each side may make.
   */
  reviews?: number | null;
}
/**
 * The scores are level; `number` counts Super Overs, two innings each, from 1.
 */
export interface SuperOverStarted {
  number: number;
  first: string;
}
export interface BatterArrived {
  innings: number;
  batter: string;
  position: number;
  striker: boolean;
}
export interface BatterRetired {
  innings: number;
  batter: string;
  /**
   * retired hurt, or retired out (a wicket).
   */
  kind: string;
  score: number[];
}
/**
 * A side's impact player comes in for one of its eleven, who takes no further part.
 */
export interface PlayerReplaced {
  innings: number;
  over: number;
  seat: string;
  player: string;
  replaces: string;
}
export interface BowlerChosen {
  innings: number;
  over: number;
  bowler: string;
  /**
   * The injured bowler whose over this one finishes.
   */
  replaces?: string | null;
  /**
   * Position -> fielder in the field that was last announced, now that the bowler has left it.
   */
  places?: {
    [k: string]: string;
  };
}
export interface FieldSet {
  innings: number;
  preset?: string | null;
  /**
   * Position -> fielder, bowler and wicket-keeper left out.
   */
  places: {
    [k: string]: string;
  };
  outside: number;
  /**
   * The restriction that this field breaks: the umpire will call no-ball.
   */
  breach?: string | null;
}
/**
 * A captain's plan for an over, known to that side only.
 */
export interface OverPlanned {
  seat: string;
  innings: number;
  over: number;
  plan: CalledPlan;
}
/**
 * A captain's settings for an over, as far as they were named.
 */
export interface CalledPlan {
  bowler?: string;
  /**
   * A preset, or nine positions.
   */
  field?: string | string[];
  length?: string;
  line?: string;
  variation?: string;
  intent?: string;
  shot?: string;
  note?: string;
  theme?: string;
  /**
   * Of a plan by `plan_over`, like those that follow: the kind of bowling, and the line of every third ball.
   */
  zone?: string;
  /**
   * Batter -> intent.
   */
  intents?: {
    [k: string]: string;
  };
  /**
   * Whether the captain is asked again in this over after a boundary.
   */
  ask?: boolean;
}
/**
 * A captain's plan at the end of its over: `plan` without the note, and the worth of what was called by it.
 *
 * `delta` is the sum of the decisions' deltas of its balls, of the bowler and of the batter who came in, from the
 * seat's own view; null where the match has no chances of winning.
 */
export interface PlanJudged {
  seat: string;
  innings: number;
  over: number;
  plan: CalledPlan;
  delta?: number | null;
}
/**
 * The numbers a captain asked for, known to that side only.
 */
export interface SituationAnalyzed {
  seat: string;
  analysis: Analysis;
}
/**
 * The scorer's numbers for a moment; before the toss only `toss`.
 */
export interface Analysis {
  toss?: string;
  run_rate?: number;
  balls_left?: number;
  wickets_left?: number;
  /**
   * Runs an over from here -> the total at the end.
   */
  projected?: {
    [k: string]: number;
  };
  need?: number | null;
  required_rate?: number;
  par_now?: number;
  by_intent?: {
    [k: string]: NextBall;
  };
  by_length?: {
    [k: string]: NextBall;
  };
  bowlers?: {
    [k: string]: AvailableBowler;
  };
}
/**
 * The expected runs and the chance of a wicket of the next ball, for a typical batter and bowler.
 */
export interface NextBall {
  runs: number;
  wicket: number;
}
/**
 * A bowler who may still bowl.
 */
export interface AvailableBowler {
  style: string;
  overs_left: number;
  season_economy_in_phase: number;
  /**
   * Batter at the wicket -> `away` or `in`, for finger spin.
   */
  turns: {
    [k: string]: string;
  };
}
/**
 * A decision that a side may have reviewed; the ball is not over until that side has chosen.
 */
export interface AppealMade {
  innings: number;
  ball: string;
  /**
   * How the batter may be out; or wide, or no-ball, for a decision on an extra.
   */
  kind: string;
  batter: string;
  bowler: string;
  /**
   * Whether the umpire gave it: out, or the extra.
   */
  given_out: boolean;
  may_review: string;
  /**
   * The apparent chance that the decision was wrong, seen from the middle: unlikely, close or likely.
   */
  evidence: string;
  reviews_left: number;
}
export interface ReviewTaken {
  innings: number;
  ball: string;
  seat: string;
  /**
   * Null, like `reviews_left`, if the record of a real match lacks it.
   */
  kind?: string | null;
  /**
   * True where the review succeeds and the decision is reversed.
   */
  upheld: boolean;
  umpires_call: boolean;
  /**
   * The decision after the review: whether it is out, or the extra.
   */
  out: boolean;
  reviews_left?: number | null;
}
/**
 * One delivery as it counted, with all data for the page and the voice.
 *
 * Metres; `pitch` is [offside x from middle stump, y from the striker's stumps]; `hit` is [degrees from straight past
 * the bowler, leg side positive; distance], batter-relative. Cards: batter [runs, balls, 4s, 6s], bowler [balls,
 * maidens, runs, wickets], score [runs, wickets, legal balls].
 *
 * Fields that the record of a real match lacks are null: the calls, and how the ball was bowled and played.
 */
export interface BallBowled {
  innings: number;
  /**
   * `16.3`: the over counted from 0 and the legal ball of it counted from 1 (a wide shares its number).
   */
  ball: string;
  batter: string;
  non_striker: string;
  bowler: string;
  /**
   * Off the bat.
   */
  runs: number;
  total: number;
  mark: string;
  extras?: {
    [k: string]: number;
  } | null;
  wicket?: Wicket | null;
  boundary: boolean;
  free_hit: boolean;
  noball_for?: string | null;
  /**
   * The length, line and variation that were called.
   */
  aim?: string[] | null;
  landed?: string[] | null;
  /**
   * The ball as bowled; a natural call leaves it to the bowler.
   */
  variation?: string | null;
  intent?: string | null;
  /**
   * The captain's call; `played` is the stroke as seen.
   */
  shot?: string | null;
  /**
   * The stroke played or tried; null where there was none.
   */
  played?: string | null;
  kmh?: number | null;
  pitch?: number[] | null;
  hit?: number[] | null;
  zone?: string | null;
  /**
   * The position of the fielder who stopped, chased or caught it; null where nobody did.
   */
  fielder?: string | null;
  batter_card: number[];
  bowler_card: number[];
  score: number[];
  partnership: number[];
  need?: number | null;
  next_free_hit: boolean;
  /**
   * One of `vocab.CONTACTS`; null in records of rules before 3.
   */
  contact?: string | null;
  /**
   * The stroke and its result in words: `cut past backward point`.
   */
  words?: string | null;
}
/**
 * A dismissal: `out` and `fielders` are names. The scorecard's words follow from them, the kind and the bowler.
 */
export interface Wicket {
  kind: string;
  out: string;
  fielders: string[];
  /**
   * The batter's [runs, balls, fours, sixes].
   *
   * @minItems 4
   * @maxItems 4
   */
  card: [number, number, number, number];
}
/**
 * The home side's chance of winning, between average players, after a ball or another change.
 *
 * `swing` is the change since the last such event. It is the sum of `matchup` (who met whom), of `luck` and of the
 * decisions' deltas, each of which is from its own seat's view: those of home are added, those of away subtracted. A
 * choice of a bowler or a batter has an event with no swing, whose `matchup` cancels the delta. For a ball, the
 * batting side's call comes first and the bowling side's second; a field and a review follow. In a real match, whose
 * decisions are not recorded, `matchup` and `luck` are null.
 */
export interface ChanceChanged {
  /**
   * 0 before the toss.
   */
  innings: number;
  /**
   * As in BallBowled; between balls, the next one.
   */
  ball: string;
  home: number;
  swing: number;
  matchup?: number | null;
  luck?: number | null;
  decisions: Decision[];
}
/**
 * The parts of a captain's call that differ from a natural one, and their worth to that side's chance.
 */
export interface Decision {
  seat: string;
  /**
   * Empty for a natural call.
   */
  choice: {
    [k: string]: string | string[];
  };
  delta: number;
}
export interface OverEnded {
  innings: number;
  over: number;
  bowler: string;
  runs: number;
  wickets: number;
  maiden: boolean;
  balls: string[];
  score: number[];
  state?: PublicState | null;
}
/**
 * Rain: the innings is cut to `overs`; a chase gets a revised target by D/L Standard.
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
 * The fielding side is late: from this over on it may have one fielder fewer outside the circle.
 */
export interface OverRatePenalized {
  innings: number;
  over: number;
  seat: string;
  /**
   * Seconds after the time by which the last over has to begin.
   */
  late: number;
  /**
   * The most fielders outside the circle on the next ball.
   */
  outside: number;
}
export interface InningsEnded {
  innings: number;
  batting: string;
  runs: number;
  wickets: number;
  balls: number;
  reason: string;
  state?: PublicState | null;
}
/**
 * A part of a Cricsheet document as it stands in the file, so that the file can be written again.
 *
 * `part` is `match` (the document without its innings), `innings` (one without its overs, after its start) or
 * `delivery` (after the ball, if the ball event lacks some of its data).
 */
export interface CricsheetPartRead {
  part: string;
  original: {
    [k: string]: unknown;
  };
}
export interface MatchDecided {
  winner?: string | null;
  result: string;
  /**
   * {"runs": n} or {"wickets": n, "balls": left}; empty for a tie, a Super Over or no result.
   */
  by?: {
    [k: string]: number;
  };
  method?: string | null;
  state?: PublicState | null;
}
/**
 * Everything that a captain may know: the public position, its own plan and its hidden choice of this ball.
 */
export interface Observation {
  format: Format;
  turn: string;
  stage: string;
  teams: {
    [k: string]: TeamSheet;
  };
  toss_winner: string;
  innings: InningsCard[];
  now: BallAhead | null;
  result: Result | null;
  replaced?: {
    [k: string]: Replacement;
  };
  seat: string;
  plan: OverPlan | null;
  choice: {
    [k: string]: string;
  } | null;
  appeal?: OpenAppeal;
  /**
   * Present while the seat sets the field.
   */
  restrictions?: Restriction[];
}
/**
 * A captain's plan, and the over that it is for, counted from 0.
 */
export interface OverPlan {
  bowler?: string;
  field?: string | string[];
  length?: string;
  line?: string;
  variation?: string;
  intent?: string;
  shot?: string;
  note?: string;
  theme?: string;
  zone?: string;
  intents?: {
    [k: string]: string;
  };
  ask?: boolean;
  over: number;
  /**
   * Why the captain may change it now: boundary or review.
   */
  why?: string;
  /**
   * What its calls were worth so far beside natural ones, in chance of winning.
   */
  worth?: number;
}
/**
 * The decision that waits for a review.
 */
export interface OpenAppeal {
  /**
   * How the batter may be out; or wide, or no-ball.
   */
  kind: string;
  /**
   * Whether the umpire gave it.
   */
  given_out: boolean;
  /**
   * The chance, as seen from the middle, that the decision is wrong: unlikely, close or likely.
   */
  evidence: string;
  may_review: string;
  reviews_left: number;
}
/**
 * At most `most` fielders may stand in `places`; with more of them the umpire calls no-ball.
 */
export interface Restriction {
  where: string;
  most: number;
  places: string[];
}

/** An event that a board of this game receives. A type that it does not know is none of these. */
export type GameEvent = EventOf<GameEvents & CoreEvents>;
