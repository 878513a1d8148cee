import { expect, test } from 'vitest';

import { board } from '..';
import { reduce, type Run } from '../state';
import { league, payoff, rated } from '../testing/league';
import { event, running, stepped } from '../testing/run';
import { chosen, curves, differences, elite, isPresent, meetings, present, ratings, result } from './league';
import { colours, lineOf } from './look';

const published = (run: Run, step: number, mean = 1500): Run =>
  reduce(run, event(90 + step, 'LeagueRated', { ...league(step, [rated('v1', mean), rated('random')]) }));

test('ratings are shown from the step that made them on', () => {
  const early = published(running(1), 2);
  expect(ratings(early)).toEqual([]);
  const there = reduce(early, stepped(2));
  expect(ratings(there).map(({ step }) => step)).toEqual([2]);
  expect(
    board.tell(event(9, 'LeagueRated', { ...league(2, [rated('v1', 1600), rated('random', 1400)]) }), early).text,
  ).toBe('Ratings of step 2: v1 leads with 1600, of 2 players');
});

test('ratings of steps that a resumed run takes once more appear with them again, and once', () => {
  const whole = published(published(running(4), 2), 4);
  const resumed = reduce(whole, stepped(3, {}, 50));
  expect(ratings(resumed).map(({ step }) => step)).toEqual([2]);
  const again = published(reduce(resumed, stepped(4, {}, 51)), 4, 1700);
  expect(ratings(again).map(({ step }) => step)).toEqual([2, 4]);
  expect(ratings(whole)[1]?.players[0]?.rating.mean).toBe(1500);
});

test('an older run has the ratings of its metrics', () => {
  const metrics = { 'league/rating/v0': 1500, 'league/rating/v0/low': 1500, 'league/rating/v0/high': 1500 };
  const run = running(4, (step) =>
    step % 2 ? {} : { ...metrics, 'league/rating/v2': 1500 + step, 'league/rating/dumbbot': 1490 },
  );
  const [first, second] = ratings(run);
  expect([first?.step, second?.step]).toEqual([2, 4]);
  expect(second?.players.map(({ label, kind, version }) => [label, kind, version])).toEqual([
    ['v2', 'policy', 2],
    ['v0', 'base', 0],
    ['dumbbot', 'bot', null],
  ]);
  expect(second?.players[0]).toMatchObject({ name: 'nano@v000002', rating: { mean: 1504, low: null, high: null } });
  expect(ratings(running(4))).toEqual([]);
});

test('the policy of each step is the versions since its checkpoint, or the newest one', () => {
  const last = league(15, [rated('v0'), rated('v5', 1525), rated('v10', 1530), rated('random', 1900)]);
  const all = [league(5, [rated('v0'), rated('policy', 1510)]), league(10, [rated('v0'), rated('v5', 1520)]), last];
  expect(present(all).map(({ step, mean }) => [step, mean])).toEqual([
    [5, 1510],
    [10, 1520],
    [15, 1530],
  ]);
  expect(last.players.filter((player) => isPresent(player, last)).map(({ label }) => label)).toEqual(['v10']);
  expect(last.players.map((player) => lineOf(player, last))).toEqual(['base', 'version', 'present', 'bot']);
  expect(
    curves(all)
      .find(({ player }) => player.label === 'v5')
      ?.points.map(({ step }) => step),
  ).toEqual([10, 15]);
});

test('of a large league the players that say most are shown first', () => {
  const versions = Array.from({ length: 30 }, (_, n) =>
    rated(`v${n}`, 1500 + n, 50, { landmark: n > 0 && n % 10 === 0 }),
  );
  const whole = league(30, [...versions, rated('policy'), rated('dumbbot')]);
  const labels = chosen(whole, 17, false).map(({ label }) => label);
  expect(labels).toEqual(['v0', 'v10', 'v17', 'v20', 'v27', 'v28', 'v29', 'policy', 'dumbbot']);
  expect(chosen(whole, 17, true)).toHaveLength(32);
  expect(
    elite(
      running(3, (step): Record<string, number> => (step === 2 ? { 'league/elite': 1 } : {})),
      3,
    ),
  ).toBe(1);
});

test('a pair is read from either side', () => {
  const all = league(5, [rated('a'), rated('b')], [payoff('a', 'b', 0.75, 0.2)]);
  expect(result(all, 'a', 'b')).toMatchObject({ wins: 30, losses: 10, share: { mean: 0.75 } });
  const other = result(all, 'b', 'a');
  expect(other).toMatchObject({ wins: 10, losses: 30, differ: true });
  expect([other?.share.mean, other?.share.low, other?.share.high].map((end) => end?.toFixed(2))).toEqual([
    '0.25',
    '0.05',
    '0.45',
  ]);
  expect(result(all, 'a', 'c')).toBeNull();
});

test('opponents of a step have the chance of that step, and zero if they were not met', () => {
  const run = running(3, (step): Record<string, number> => {
    const common = { 'league/chance/random': 0.5, 'league/chance/self': step < 3 ? 0.5 : 0.1, 'league/met/self': 1 };
    return step < 3 ? common : { ...common, 'league/chance/v2': 0.4, 'league/met/v2': 0.3, 'league/score/v2': 0.6 };
  });
  expect(meetings(run, Infinity).map(({ name, chance, met, score }) => [name, chance, met, score])).toEqual([
    ['random', 0.5, 0, null],
    ['v2', 0.4, 0.3, 0.6],
    ['self', 0.1, 1, null],
  ]);
  expect(meetings(run, 2).find(({ name }) => name === 'v2')).toMatchObject({ chance: 0, met: 0 });
  expect(
    meetings(
      running(2, () => ({ 'league/chance/random': 1 })),
      2,
    )[0]?.met,
  ).toBeNull();
});

test('differences are the latest ones, with the interval of the same step', () => {
  const run = running(4, (step): Record<string, number> =>
    step === 2
      ? { 'forgetting/v10': -0.1, 'forgetting/v10/low': -0.2, 'forgetting/v10/high': -0.05, 'forgetting/v2': 0 }
      : {},
  );
  expect(differences(run, 'forgetting', 4)).toMatchObject([
    { name: 'v2', estimate: { mean: 0, low: null, high: null } },
    { name: 'v10', step: 2, estimate: { mean: -0.1, low: -0.2, high: -0.05 } },
  ]);
  expect(differences(run, 'forgetting', 1)).toEqual([]);
});

test('bots have hues of their own, whatever their place is', () => {
  const tints = colours([rated('territorial'), rated('v3'), rated('dumbbot')]);
  expect(tints.get('v3')).toBe('var(--accent)');
  expect(tints.get('dumbbot')).not.toBe(tints.get('territorial'));
  expect(colours([rated('dumbbot'), rated('territorial')]).get('dumbbot')).toBe(tints.get('dumbbot'));
});
