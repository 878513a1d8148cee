/** The chances of winning as the charts and the captains' panel show them. */

import type { BallBowled, Decision } from './events.gen';
import type { Chance, State } from './state';
import { count, lengthName, lineName, presetName, shotName, teamShort, told, variationName } from './vocabulary';

/** `62%`; never 0 or 100 where it is not over. */
export function percent(chance: number): string {
  const rounded = Math.round(100 * chance);
  if (rounded === 0 && chance > 0) return '<1%';
  return rounded === 100 && chance < 1 ? '>99%' : `${rounded}%`;
}

/** In points of a hundred, with its sign: `+3.4`, `−0.2`, `0.0`. */
export function points(change: number): string {
  const rounded = (100 * Math.abs(change)).toFixed(1);
  return rounded === '0.0' ? rounded : `${change > 0 ? '+' : '−'}${rounded}`;
}

/** From the view of `seat`: home's as it is, away's the other way round. */
export const viewOf = (seat: string, change: number): number => (seat === 'home' ? change : -change);

const CALLS: Record<string, (word: string) => string> = {
  intent: (intent) => intent,
  shot: shotName,
  length: lengthName,
  line: lineName,
  variation: variationName,
  field: (field) => `field ${presetName(field)}`,
  decision: (decision) => `chose to ${decision}`,
  bowler: (bowler) => bowler,
};

/** What a captain called beside what is natural: `yorker, on the stumps`; `natural` for nothing. */
export function callOf({ choice }: Decision): string {
  const words = Object.entries(choice).map(([name, value]) =>
    Array.isArray(value)
      ? `${name} of its own (${count(value.length, 'place')})`
      : (CALLS[name]?.(String(value)) ?? String(value)),
  );
  return words.filter(Boolean).join(', ') || 'natural';
}

/** What was called of the bowler, then what was bowled where that says more: what a natural call left to the bowler,
 * and where the ball landed instead. */
export function bowlingCall({ aim, landed, variation }: BallBowled, decision: Decision | undefined): string {
  const [length = '', line = ''] = aim.map((word) => (word === 'natural' ? '' : word));
  // Records of the first version of the rules do not name the call; what was worth something in it does.
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
  /** What the seat's own calls were worth. */
  readonly decisions: number;
  /** The same less what the opponent's calls were worth to the opponent. */
  readonly net: number;
  readonly matchups: number;
  readonly luck: number;
}

/** What moved the chance of `seat` so far: `net`, `matchups` and `luck` add up to the change since the start. */
export function ledger(chances: readonly Chance[], seat: string): Ledger {
  let [calls, decisions, net, matchups, luck] = [0, 0, 0, 0, 0];
  for (const chance of chances) {
    matchups += viewOf(seat, chance.matchup);
    luck += viewOf(seat, chance.luck);
    for (const decision of chance.decisions) {
      net += decision.seat === seat ? decision.delta : -decision.delta;
      if (decision.seat !== seat) continue;
      decisions += decision.delta;
      calls += Number(Object.keys(decision.choice).length > 0);
    }
  }
  return { calls, decisions, net, matchups, luck };
}

/** What the moment was: `4.2 Dallowin to Kalubowila, OUT`. */
export function momentOf(state: State, chance: Chance): string {
  if (chance.ball) return `${chance.ball.ball} ${told(state, chance.ball)}`;
  if (chance.innings === 0) return 'Before the toss';
  const innings = state.innings[chance.innings - 1];
  return innings && innings.number === 1 && chance === state.chances.find((one) => one.innings === 1)
    ? `After the toss, ${teamShort(state, innings.batting)} to bat`
    : 'Between two balls';
}
