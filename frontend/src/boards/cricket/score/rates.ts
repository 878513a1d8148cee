/** Figures that are computed from the score. */

import type { BallBowled } from '../events.gen';
import { ballsOf, type Innings, type State } from '../state';
import { wicketOf } from '../vocabulary';

/** Return runs per over, or null before the first ball. */
export function rate(runs: number, balls: number): number | null {
  return balls > 0 ? (6 * runs) / balls : null;
}

export const twoPlaces = (value: number | null): string => (value === null ? '–' : value.toFixed(2));

export function strikeRate({ r, b }: { readonly r: number; readonly b: number }): number | null {
  return b > 0 ? (100 * r) / b : null;
}

export interface Chase {
  readonly need: number;
  readonly balls: number;
  readonly rate: number | null;
}

/** Return what the chasing side needs; null in a first innings and after the end. */
export function chase({ target, runs, balls, overs, closed }: Innings): Chase | null {
  if (target === null || closed !== null) return null;
  const left = 6 * overs - balls;
  return { need: target - runs, balls: left, rate: rate(target - runs, left) };
}

/** Return whether enough of an innings is played to project its total: a quarter, and at least an over. */
export const projects = ({ balls, overs }: Innings): boolean => balls >= Math.max(6, (6 * overs) / 4);

/** Return the total after all overs, with `each` runs per over from now. */
export function projected({ runs, balls, overs }: Innings, each: number): number {
  return Math.round(runs + (each * (6 * overs - balls)) / 6);
}

/** A pair of batters and their runs. `wicket` counts from 1; `closed` is false while both are at the wicket. */
export interface Partnership {
  readonly wicket: number;
  readonly batters: readonly [string, string];
  readonly runs: number;
  readonly balls: number;
  /** Runs off the bat of each batter. */
  readonly shares: readonly [number, number];
  readonly closed: boolean;
}

/**
 * Return the partnerships of an innings, as far as its balls have arrived. A replacement for a batter who retires hurt
 * begins a new partnership for the same wicket.
 */
export function partnerships(state: State, innings: number): Partnership[] {
  const pairs: Partnership[] = [];
  for (const ball of ballsOf(state, innings)) {
    const last = pairs.at(-1);
    const same = last && !last.closed && [ball.batter, ball.non_striker].every((name) => last.batters.includes(name));
    if (same) {
      pairs[pairs.length - 1] = add(last, ball);
      continue;
    }
    if (last) pairs[pairs.length - 1] = { ...last, closed: true };
    const wicket = (ball.score[1] ?? 0) + Number(wicketOf(ball) === null);
    const batters = [ball.batter, ball.non_striker] as const;
    pairs.push(add({ wicket, batters, runs: 0, balls: 0, shares: [0, 0], closed: false }, ball));
  }
  return pairs;
}

function add(stand: Partnership, ball: BallBowled): Partnership {
  const [firstRuns, secondRuns] = stand.shares;
  const first = ball.batter === stand.batters[0];
  return {
    ...stand,
    runs: stand.runs + ball.total,
    balls: stand.balls + Number(!ball.extras?.['wides']),
    shares: [firstRuns + (first ? ball.runs : 0), secondRuns + (first ? 0 : ball.runs)],
    closed: wicketOf(ball) !== null,
  };
}

/** The score after `balls` legal balls. */
export interface Step {
  readonly balls: number;
  readonly runs: number;
  readonly wickets: number;
}

/** Return the scores from 0: ball by ball if the balls have arrived, over by over before them. */
export function steps(state: State, innings: Innings): Step[] {
  const balls = ballsOf(state, innings.number).map(stepOf);
  const byBall = balls.at(-1)?.runs === innings.runs ? balls : [];
  const first = byBall[0]?.balls ?? Infinity;
  let at: Step = { balls: 0, runs: 0, wickets: 0 };
  const scores = [at];
  for (const [runs, wickets] of innings.byOver) {
    at = { balls: Math.min(at.balls + 6, innings.balls), runs: at.runs + runs, wickets: at.wickets + wickets };
    if (at.balls >= first) break;
    scores.push(at);
  }
  const { balls: legal, runs, wickets } = innings;
  if (!byBall.length && at.runs < runs) scores.push({ balls: legal, runs, wickets });
  return [...scores, ...byBall];
}

const stepOf = ({ score: [runs = 0, wickets = 0, balls = 0] }: BallBowled): Step => ({ balls, runs, wickets });

export interface OverBar {
  /** Counted from 1. */
  readonly over: number;
  readonly runs: number;
  readonly wickets: number;
  /** Whether the over is in progress. */
  readonly open: boolean;
}

/** Return runs and wickets by over, including the over in progress. */
export function overBars({ byOver, runs, wickets, balls, closed }: Innings): OverBar[] {
  const bars = byOver.map(([made, fallen], n) => ({ over: n + 1, runs: made, wickets: fallen, open: false }));
  const made = byOver.reduce((sum, [each]) => sum + each, 0);
  const fallen = byOver.reduce((sum, [, each]) => sum + each, 0);
  const begun = balls > 6 * byOver.length || runs > made || wickets > fallen;
  return begun && closed === null
    ? [...bars, { over: bars.length + 1, runs: runs - made, wickets: wickets - fallen, open: true }]
    : bars;
}

/** Return runs and wickets of the last `overs` overs, or null if there were fewer. */
export function lastOvers(innings: Innings, overs: number): { runs: number; wickets: number } | null {
  const bars = innings.byOver.slice(-overs);
  if (bars.length < overs) return null;
  return {
    runs: bars.reduce((sum, [runs]) => sum + runs, 0),
    wickets: bars.reduce((sum, [, wickets]) => sum + wickets, 0),
  };
}

/** Return the numbers to write below an axis of `overs`: each, or every second, fifth or tenth if space is limited. */
export function overTicks(overs: number, room: number): number[] {
  const step = [1, 2, 5, 10].find((spacing) => overs / spacing <= room) ?? 10;
  return Array.from({ length: Math.floor(overs / step) + 1 }, (_, n) => n * step);
}
