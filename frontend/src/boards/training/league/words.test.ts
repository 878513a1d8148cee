import { expect, test } from 'vitest';

import { league, payoff, rated } from '../testing/league';
import { result } from './league';
import { called, interval, kind, pairVerdict, ratedWords, resultWords, verdict } from './words';

test('two games decide nothing', () => {
  const all = league(5, [rated('v5'), rated('random')], [payoff('v5', 'random', 1, null, 2)]);
  expect(resultWords('v5', 'random', result(all, 'v5', 'random'))).toBe(
    'v5 against random: won 100 %; too few situations to say. 4 won, 0 drawn, 0 lost: 4 comparisons in 2 situations.',
  );
  expect(verdict({ mean: 1, low: null, high: null, n: 2 }, 0.5)).toBe('few');
});

test('a pair is beyond chance only if it is for all pairs together', () => {
  const sure = payoff('v5', 'random', 0.9, 0.2);
  expect(pairVerdict(sure)).toBe('above');
  expect(pairVerdict({ ...sure, differ: false })).toBe('open');
  expect(verdict({ mean: -0.2, low: -0.3, high: -0.1, n: 9 }, 0)).toBe('below');
  const all = league(5, [], [sure]);
  expect(resultWords('random', 'v5', result(all, 'random', 'v5'))).toContain(
    'won 10 %, 95 % interval -10 to 30 %; behind, beyond chance',
  );
  expect(resultWords('random', 'v7', null)).toBe('random against v7: they have not met');
});

test('players have names and kinds', () => {
  expect(['policy', 'self', 'v0', 'v12', 'other@v000003'].map(called)).toEqual([
    'Policy',
    'Itself',
    'Base',
    'v12',
    'other@v000003',
  ]);
  expect(kind(rated('v20', 1500, 50, { landmark: true }), 20)).toBe('landmark, elite');
  expect(kind(rated('v5'), null)).toBe('version');
  expect(kind(rated('v5', 1500, 50, { role: 'main_exploiter' }), null)).toBe('main exploiter');
  expect(kind(rated('dumbbot'), null)).toBe('bot');
  expect(kind(rated('policy'), null)).toBe('since the last checkpoint');
});

test('the first of the table leads only if the intervals say so', () => {
  expect(ratedWords(league(5, [rated('v5', 1600, 100), rated('v0', 1550, 10)]))).toBe(
    'Ratings of step 5: v5 is first, not beyond chance, with 1600, of 2 players',
  );
  expect(ratedWords(league(5, [rated('v5', 1600, 10), rated('v0', 1550, 10)]))).toContain('v5 leads with 1600');
  expect(ratedWords(league(5, []))).toBe('Step 5: nobody is rated yet');
  expect([interval(1500, 1500), interval(1450.4, 1549.6), interval(null, null)]).toEqual([
    'the reference',
    '1450–1550',
    'no interval',
  ]);
});
