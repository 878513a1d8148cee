import { expect, test } from 'vitest';

import { Moments } from '../../episode/record/moments';
import { narrate } from '../../episode/story/narrate';
import { EMPTY, reduce as store } from '../../episode/record/store';
import type { EpisodeSummary, Event } from '../../types.gen';
import { board } from '.';
import { axis } from '../../lib/chart/axis';
import { heat } from '../../lib/chart/heat';
import { countedFor, faultsOf, ofBoth } from './selection';
import { reduce, type Tournament } from './state';
import { episode, estimate, event, events, folded, pair, standing, standings } from './testing/cup';
import { comparison, interval, lead, line, progress, rankText, result, score, separation } from './words';

const ranked = (about = {}): Tournament => reduce(folded(), event(11, 'StandingsUpdated', { ...standings(about) }));

test('what is separated and what is not is said in words', () => {
  expect(separation(standings())).toEqual({
    ahead: ['alpha is ahead of gamma'],
    open: ['alpha and beta', 'beta and gamma'],
  });
  expect(separation(standings({ cross: [] })).ahead).toEqual([]);
  expect(rankText(standings(), 'alpha')).toBe('1–2');
});

test('the lead is certain only where every other player is separated', () => {
  expect(lead(ranked())).toBe('not separated from beta yet');
  const all = [pair('alpha', 'beta', 0.9, true), pair('alpha', 'gamma', 0.9, true)];
  expect(lead(ranked({ cross: all }))).toBe('ahead of all others, beyond chance');
  const over = reduce(ranked(), event(12, 'EpisodeEnded', { status: 'finished' }));
  expect(lead(over)).toBe('not separated from beta');
  expect(lead(folded())).toBe('');
});

test('a sample that is too small has words instead of an interval', () => {
  expect(interval(estimate(1, null, 2), score)).toBe('n too small');
  expect(interval(estimate(null, null, 0), score)).toBe('no match yet');
  expect(interval(estimate(0.5, 0.1), score)).toBe('0.400 to 0.600');
  const few = standings({
    cross: [{ ...pair('alpha', 'beta', 1, false), share: estimate(1, null, 2), stronger: null }],
  });
  expect(comparison(few, 'beta', 'alpha')).toBe(
    'beta against alpha: 0 %, n too small for an interval, 2 comparisons; not separated.',
  );
  expect(comparison(few, 'alpha', 'gamma')).toBe('alpha against gamma: no comparison yet');
});

test('the progress and the leader are one line', () => {
  expect(progress(folded(4))).toBe('0 of 4 played, 1 live');
  expect(line(ranked())).toBe('4 of 6 played, 1 failed; alpha leads, not separated from beta yet');
});

test('a result names the best first; a match that failed says why', () => {
  const { games } = folded();
  expect(games[1] && result(games[1])).toBe('alpha 1.000, beta 0.000');
  expect(games[3] && result(games[3])).toBe('the provider is away');
});

test('events are told, failures and changes of the lead are marked', () => {
  const at = (seq: number): [Event, Tournament] => [events[seq] as Event, folded(seq)];
  expect(board.tell(...at(2)).text).toBe('4 matches drawn');
  expect(board.tell(...at(3)).text).toBe('Match 1 began: alpha, beta');
  expect(board.tell(...at(4)).text).toBe('Match 1: alpha 1.000, beta 0.000');
  expect(board.tell(...at(10)).text).toBe('Match 4 failed: the provider is away');
  expect(board.tell(...at(10)).marks).toMatchObject([{ kind: 'note', weight: 1 }]);
  const first = event(11, 'StandingsUpdated', { ...standings() });
  expect(board.tell(first, folded()).text).toBe('alpha takes the lead');
  expect(board.tell(first, folded()).marks).toEqual([]);
  const table = [standing('beta', 0.9), standing('alpha', 0.7), standing('gamma', 0.2)];
  const turn = event(12, 'StandingsUpdated', { ...standings({ table }) });
  expect(board.tell(turn, ranked()).marks).toEqual([
    { kind: 'note', label: 'beta takes the lead', seat: 'beta', weight: 2 },
  ]);
  expect(
    narrate(board, event(12, 'TurnStarted', { turn: '4 of 6', index: 0, to_act: [], scores: {} }), ranked()).text,
  ).toBe('4 of 6 played');
});

test('a figure opens the matches that it is made of', () => {
  const { games } = folded();
  const numbers = (has: (game: (typeof games)[number]) => boolean): number[] =>
    games.filter(has).map(({ number }) => number);
  expect(numbers(countedFor('alpha').has)).toEqual([0, 2, 3]);
  expect(numbers(ofBoth('alpha', 'beta', '').has)).toEqual([0]);
  expect(numbers(faultsOf('alpha').has)).toEqual([1]);
  expect(numbers(faultsOf('beta').has)).toEqual([]);
});

test('all rows share an axis that holds every interval', () => {
  const shared = axis([estimate(0.2, 0.1), estimate(0.8, 0.15)]);
  expect(shared?.scale(0.1)).toBeGreaterThan(0);
  expect(shared?.scale(0.95)).toBeLessThan(100);
  expect(axis([estimate(null)])).toBeNull();
  expect(heat(null, 0.5, 0.5)).toBe('transparent');
  expect(heat(1, 0.5, 0.5)).toContain('var(--good) 38%');
  expect(heat(0.25, 0.5, 0.5)).toContain('var(--live) 19%');
});

test('the strip and the lobby have a rank and a score as soon as there is one', () => {
  expect(board.strip(folded(), 'alpha').shown).toBe('');
  expect(board.strip(ranked(), 'alpha').shown).toBe('1–2');
  expect(board.strip(ranked(), 'gamma').count).toBe('0.200');
  expect(board.strip(folded(), 'gamma').count).toBe('–');
});

test('a moment in the middle is what was known then', () => {
  const summary = { ...episode, status: 'live', turn: '', scores: {} } as EpisodeSummary;
  const all = store(EMPTY, { do: 'frames', frames: events.map((each) => ({ frame: 'event', event: each })) });
  const moments = new Moments<Tournament>(board as never, summary);
  moments.foldAll(all);
  expect(moments.at(all, 5)?.board.games.map(({ progress }) => progress)).toEqual([
    'done',
    'live',
    'waiting',
    'waiting',
  ]);
  expect(moments.at(all, 10)?.board.games[3]?.progress).toBe('failed');
});
