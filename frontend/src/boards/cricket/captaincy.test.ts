import { describe, expect, it } from 'vitest';

import { board } from '.';
import { leaderOf, recordOf, reviewsOf, styleOf } from './captaincy';
import { reduce } from './reduce';
import { EMPTY, type Captaincy, type State } from './state';
import { BALLS, EVENTS, LAST, next, STATES, SUMMARY, wholeOf } from './testing/match';

const captainOf = (state: State, seat: string): Captaincy => {
  const own = state.captains?.[seat];
  if (!own) throw new Error(`${seat} has no captain`);
  return own;
};

/** The state before the first ball. */
const START = BALLS[0]?.before ?? EMPTY;
const [first] = START.innings;
const BOWLS = first?.bowling ?? '';
const BATS = first?.batting ?? '';

/** Return the state after an over planned like this by both sides, and judged to be worth `worth`. */
const planned = (state: State, ...worths: readonly number[]): State =>
  worths.reduce(
    (at, delta, over) =>
      reduce(
        at,
        next('PlanJudged', { seat: BOWLS, innings: 1, over, plan: { theme: 'short', zone: 'natural' }, delta }),
      ),
    state,
  );

describe('the captains', () => {
  it('are counted by what they called on each ball, without free hits and Super Overs', () => {
    const asked = BALLS.filter(({ ball }) => ball.innings <= 2 && !ball.free_hit);
    for (const seat of ['home', 'away']) {
      const own = asked.filter(({ ball, after }) => after.innings[ball.innings - 1]?.batting === seat);
      expect(own.length).toBeGreaterThan(20);
      const { attack, care } = captainOf(LAST, seat);
      expect(attack.chances).toBe(own.length);
      expect(attack.times).toBe(own.filter(({ ball }) => ['attack', 'slog'].includes(ball.intent ?? '')).length);
      expect(care.times).toBe(
        own.filter(({ ball }) => ['block', 'build', 'rotate'].includes(ball.intent ?? '')).length,
      );
    }
    const overs = new Set(asked.map(({ ball }) => `${ball.innings} ${Math.floor(Number(ball.ball))}`));
    expect(captainOf(LAST, 'home').slip.chances + captainOf(LAST, 'away').slip.chances).toBe(overs.size);
  });

  it('have the record of their calls over by over, until they plan overs', () => {
    const own = captainOf(LAST, BOWLS);
    expect(own.plans).toBe(false);
    expect(own.worked + own.failed).toBeGreaterThan(0);
    expect(recordOf(own)).toMatch(/^Calls gained in \d+ of \d+ overs?, /);
    const plans = captainOf(planned(LAST.innings.length > 2 ? START : LAST, 0.01, 0.02, -0.01, 0.001), BOWLS);
    expect(recordOf(plans)).toBe('2 of 3 plans that mattered worked, +2.1 points');
  });

  it('leave out plans that are natural, and those without a worth', () => {
    const natural = { seat: BOWLS, innings: 1, over: 0, plan: { theme: 'natural', zone: 'natural' }, delta: 0.05 };
    expect(recordOf(captainOf(reduce(START, next('PlanJudged', natural)), BOWLS))).toBe('');
    const orders = { ...natural, seat: BATS, plan: { intents: { A: 'normal', B: 'slog' } } };
    expect(recordOf(captainOf(reduce(START, next('PlanJudged', orders)), BATS))).toMatch(
      /^1 of 1 plan that mattered worked/,
    );
    expect(recordOf(captainOf(reduce(START, next('PlanJudged', { ...orders, delta: null })), BATS))).toBe('');
  });

  it('have a style where something differs from what is usual', () => {
    const own = captainOf(LAST, BOWLS);
    const habit = (times: number) => ({ times, chances: 20, expected: 2.2, variance: 1.7 });
    const usual = { ...own, attack: habit(2), care: habit(2) };
    expect(styleOf({ ...usual, slip: habit(9) })).toBe('Keeps a slip in 9 of 20 overs (usually 2)');
    expect(styleOf({ ...usual, slip: habit(3) })).toBe('Nothing unusual in field or orders');
    expect(styleOf({ ...usual, slip: habit(0), care: habit(12) })).toBe('Asks for care on 12 of 20 balls (usually 2)');
  });

  it('have the reviews that they took and won', () => {
    const review = { innings: 1, ball: '0.1', seat: BOWLS, kind: 'lbw', umpires_call: false, out: false };
    const once = reduce(START, next('ReviewTaken', { ...review, upheld: false, reviews_left: 1 }));
    const twice = reduce(once, next('ReviewTaken', { ...review, upheld: true, reviews_left: 1 }));
    expect(reviewsOf({ ...captainOf(once, BOWLS), reviews: { taken: 0, won: 0 } })).toBe('');
    expect(reviewsOf(captainOf(twice, BOWLS))).toBe('1 of 2 reviews won');
  });

  it('are named without what they called where the start of the match is not known', () => {
    const late = EVENTS.findLast((event) => wholeOf(event));
    const state = board.begin(SUMMARY, late && wholeOf(late)) as State;
    expect(leaderOf(state, 'home')).toEqual({ title: 'Captain', name: state.teams['home']?.captain, lines: [] });
    expect(leaderOf(LAST, 'home')?.lines.length).toBeGreaterThan(0);
    expect(leaderOf(EMPTY, 'home')).toBeNull();
    expect(STATES.length).toBe(EVENTS.length + 1);
  });
});
