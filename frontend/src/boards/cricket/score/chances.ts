/** Win probabilities for the charts and the captains' panel. */

import type { BallBowled, Decision } from '../events.gen';
import type { Chance, State } from '../state';
import { describeBall, lengthName, lineName, presetName, shotName, teamShort, variationName } from '../vocabulary';
import { many } from '../../../lib/say';

/** Return a percentage like `62%`; never 0 or 100 before the end. */
export function percent(chance: number): string {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return '<1%';
  return rounded === 100 && chance < 1 ? '>99%' : `${rounded}%`;
}

/** Return percentage points with their sign: `+3.4`, `−0.2`, `0.0`. */
export function points(change: number): string {
  const rounded = (100 * Math.abs(change)).toFixed(1);
  return rounded === '0.0' ? rounded : `${change > 0 ? '+' : '−'}${rounded}`;
}

/** Return a change from the view of `seat`; `change` is from home's view. */
export const viewOf = (seat: string, change: number): number => (seat === 'home' ? change : -change);

const CALLS: Record<string, (word: string) => string> = {
  intent: (intent) => intent,
  shot: shotName,
  length: lengthName,
  line: lineName,
  variation: variationName,
  field: (field) => `field ${presetName(field)}`,
  decision: (decision) => `chose to ${decision}`,
  bowler: (bowler) => `gave ${bowler} the ball`,
  batter: (batter) => `sent in ${batter}`,
  impact: (player) => `brought in ${player}`,
  replaces: (player) => `for ${player}`,
  retire: (batter) => `retired ${batter}`,
  review: (review) => (review === 'taken' ? 'reviewed the decision' : 'let the decision stand'),
};

/** Return how a captain's decision differs from the natural one: `yorker, on the stumps`, or `natural`. */
export function callOf({ choice }: Decision): string {
  const words = Object.entries(choice).map(([name, value]) =>
    Array.isArray(value)
      ? `${name} of its own (${many(value.length, 'place')})`
      : (CALLS[name]?.(String(value)) ?? String(value)),
  );
  return words.filter(Boolean).join(', ') || 'natural';
}

/**
 * Return the decision about the delivery, and the ball as bowled if it differs: the parts that a natural decision
 * leaves open, and the landing point.
 */
export function bowlingCall(ball: BallBowled, decision: Decision | undefined): string {
  const { aim, landed, variation } = ball;
  if (!aim || !landed || !variation) return 'not recorded';
  const [length = '', line = ''] = aim.map((word) => (word === 'natural' ? '' : word));
  // Records of the first version of the rules do not contain the variation; the decision contains it if it had an
  // effect.
  const called = aim[2] ?? String(decision?.choice['variation'] ?? 'natural');
  const words = [length && lengthName(length), line && lineName(line), variationName(called)].filter(Boolean);
  const drawn = called === variation ? '' : variationName(variation);
  const missed = [
    length && landed[0] !== length ? lengthName(landed[0] ?? '') : '',
    line && landed[1] !== line ? lineName(landed[1] ?? '') : '',
  ].filter(Boolean);
  return [words.join(', ') || 'natural', drawn && `bowled ${drawn}`, missed.length ? `landed ${missed.join(', ')}` : '']
    .filter(Boolean)
    .join('; ');
}

export interface Ledger {
  /** Calls that were not natural ones. */
  readonly calls: number;
  /** The value of the seat's own calls. */
  readonly decisions: number;
  /** `decisions` minus the value of the opponent's calls to the opponent. */
  readonly net: number;
  readonly matchups: number;
  readonly luck: number;
}

/** Return the parts of the change of `seat`'s chance so far: `net`, `matchups` and `luck` add up to it. */
export function ledger(chances: readonly Chance[], seat: string): Ledger {
  let [calls, decisions, net, matchups, luck] = [0, 0, 0, 0, 0];
  for (const chance of chances) {
    matchups += viewOf(seat, chance.matchup ?? 0);
    luck += viewOf(seat, chance.luck ?? 0);
    for (const decision of chance.decisions) {
      net += decision.seat === seat ? decision.delta : -decision.delta;
      if (decision.seat !== seat) continue;
      decisions += decision.delta;
      calls += Number(Object.keys(decision.choice).length > 0);
    }
  }
  return { calls, decisions, net, matchups, luck };
}

/** Return a title for a moment: `4.2 Dallowin to Kalubowila, OUT`. */
export function momentOf(state: State, chance: Chance): string {
  if (chance.ball) return `${chance.ball.ball} ${describeBall(state, chance.ball)}`;
  if (chance.innings === 0) return 'Before the toss';
  const innings = state.innings[chance.innings - 1];
  return innings && innings.number === 1 && chance === state.chances.find((other) => other.innings === 1)
    ? `After the toss, ${teamShort(state, innings.batting)} to bat`
    : 'Between two balls';
}
