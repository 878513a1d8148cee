import { expect, test } from 'vitest';

import { among, evaluations, headline, inconclusive, interval, measured, verdict } from './evaluation';
import { running } from './testing/run';

const duel = (label: string, gain: number): Record<string, number> => ({
  [`eval/${label}/mean`]: 0.14 + gain,
  [`eval/${label}/base`]: 0.14,
  [`eval/${label}/gain`]: gain,
  [`eval/${label}/ci95`]: 0.02,
  [`eval/${label}/games`]: 70,
  [`eval/${label}/elo`]: 34,
  [`eval/${label}/elo_ci95`]: 12,
});

test('the headline is the last evaluation against its own base', () => {
  const run = running(12, (step) => (step % 5 ? {} : { ...duel('vs_dumbbot', 0.5), ...duel('vs_base', step / 100) }));
  expect(evaluations(run, 'vs_base')).toHaveLength(2);
  expect(evaluations(run, 'vs_dumbbot')).toHaveLength(2);
  expect(measured(run)).toEqual([]);
  expect(headline(run)).toEqual({
    label: 'vs_base',
    step: 10,
    gain: 0.1,
    ci95: 0.02,
    mean: expect.closeTo(0.24, 10) as number,
    base: 0.14,
    games: 70,
    elo: [34, 12],
  });
  expect(measured(running(5, (step) => (step % 5 ? {} : duel('vs_base', 0.1))))).toHaveLength(1);
});

test('without that one, it is the first there is', () => {
  expect(headline(running(1, () => duel('field', 0.2)))?.label).toBe('field');
  expect(headline(running(9))).toBeNull();
});

test('a mean alone is the gain', () => {
  const run = running(1, () => ({ 'eval/vs_base/mean': 0.03, 'eval/vs_base/ci95': 0.01 }));
  expect(headline(run)).toMatchObject({ gain: 0.03, mean: null, base: null, games: null });
});

test('what may be concluded', () => {
  const verdictOf = (gain: number): string =>
    verdict({ label: '', step: 1, gain, ci95: 0.02, mean: null, base: null, games: null, elo: null });
  expect([0.03, 0.02, -0.01, -0.03].map(verdictOf)).toEqual(['better', 'open', 'open', 'worse']);
});

test('two games say nothing, whatever interval a run claims for them', () => {
  const run = running(1, () => ({ ...duel('vs_base', 0.5), 'eval/vs_base/games': 2, 'eval/vs_base/elo': 198 }));
  const evaluation = headline(run);
  expect(evaluation).toMatchObject({ gain: 0.5, ci95: null, elo: null, games: 2 });
  expect(evaluation && verdict(evaluation)).toBe('open');
  expect(evaluation && interval(evaluation)).toBe('(too few games to say)');
});

test('many games with the same difference are not few', () => {
  const alike = running(1, () => ({ ...duel('vs_base', 0), 'eval/vs_base/ci95': 0 }));
  const evaluation = headline(alike) ?? expect.fail();
  expect(evaluation).toMatchObject({ gain: 0, ci95: null, games: 70 });
  expect(inconclusive(evaluation)).toBe('the same difference in every game');
  expect(interval(evaluation)).toBe('(the same difference in every game)');
  expect(inconclusive({ ...evaluation, ci95: 0.02 })).toBe('');
});

test('without an interval nothing is concluded', () => {
  const none: Record<string, number>[] = [{}, { 'eval/vs_base/ci95': 0 }];
  for (const ci95 of none) {
    const run = running(1, () => ({
      'eval/vs_base/gain': 1,
      'eval/vs_base/mean': 1,
      'eval/vs_base/games': 3,
      ...ci95,
    }));
    expect(headline(run)).toMatchObject({ gain: 1, ci95: null, elo: null });
    expect(verdict(headline(run) ?? expect.fail())).toBe('open');
  }
});

test('names of fields in words', () => {
  expect(['vs_base', 'vs_field', 'vs_dumb_bot', 'mixed'].map(among)).toEqual([
    'among copies of its base',
    'in the field it trains in',
    'against dumb bot',
    'against mixed',
  ]);
});
