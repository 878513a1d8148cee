import { describe, expect, it } from 'vitest';

import type { HeadToHead, LeaderboardRow } from '../types.gen';
import * as figures from './figures';

const row = (player: string, more: Partial<LeaderboardRow> = {}): LeaderboardRow => ({
  player,
  kind: 'bot',
  matches: 30,
  counted: 30,
  seats: 30,
  scored: 30,
  assisted: 0,
  score: { mean: 0.5, low: 0.4, high: 0.6, n: 30 },
  rating: { mean: 1500, low: 1420, high: 1580, n: 30 },
  wins: 3,
  decisions: 100,
  fallbacks: 0,
  faults: 0,
  forfeits: 0,
  answers: 0,
  tokens: 0,
  dollars: null,
  seconds: 0,
  costed: 30,
  ...more,
});
const pair = (a: string, b: string, differ: boolean): HeadToHead => ({ a, b, share: { n: 0 }, stronger: 0.9, differ });

describe('groups', () => {
  const rows = ['a', 'b', 'c', 'd'].map((name) => row(name));
  const pairs = [
    pair('a', 'b', false),
    pair('a', 'c', true),
    pair('a', 'd', true),
    pair('b', 'c', false),
    pair('b', 'd', true),
    pair('c', 'd', false),
  ];

  it('end before the first player who is separated from the best', () => {
    const parts = figures.groups(rows, pairs).map(({ best, rows: players }) => [best, players.length]);
    expect(parts).toEqual([
      ['a', 2],
      ['c', 2],
    ]);
  });

  it('are told apart from pairs that are not separated, which may be in two groups', () => {
    expect(figures.alike(pairs).get('b')).toEqual(['a', 'c']);
  });

  it('are summed up in a sentence', () => {
    expect(figures.verdict(rows, pairs)).toBe('a is the highest; 1 other player is not separated from it.');
    expect(figures.verdict(rows.slice(0, 2), pairs)).toBe('Nobody is separated from a, the highest.');
    expect(figures.verdict(rows, [])).toBe('a leads, separated from every other player.');
    expect(figures.verdict(rows.slice(0, 1), [])).toBe('');
  });
});

describe('costs', () => {
  it('are divided by the matches whose costs are known, and unknown without a price', () => {
    const model = row('m', { dollars: 6, costed: 12, tokens: 2400, answers: 8, seconds: 20 });
    expect([
      figures.perMatch(model),
      figures.perDollar(model),
      figures.tokens(model),
      figures.perAnswer(model),
    ]).toEqual([0.5, 1, 200, 2.5]);
    expect([figures.perMatch(row('b')), figures.perDollar(row('b')), figures.perAnswer(row('b'))]).toEqual([
      null,
      null,
      null,
    ]);
    expect(figures.perDollar(row('free', { dollars: 0 }))).toBeNull();
  });

  it('have no columns where nobody has any', () => {
    expect(figures.columnsOf([row('b')]).map(({ id }) => id)).not.toContain('cost');
    expect(figures.columnsOf([row('b'), row('m', { dollars: 6 })]).map(({ id }) => id)).toContain('cost');
  });
});

describe('the order of the table', () => {
  const rows = [row('b', { wins: 1 }), row('a', { wins: 5 }), row('c', { score: { mean: null, n: 0 } })];

  it('is by a column, and turns round on a second click', () => {
    const first = figures.clicked({ by: 'rating', down: true }, 'wins');
    expect(figures.sorted(rows, first).map(({ player }) => player)).toEqual(['a', 'c', 'b']);
    expect(figures.sorted(rows, figures.clicked(first, 'wins'))[0]?.player).toBe('b');
    expect(figures.sorted(rows, figures.clicked(first, 'player'))[0]?.player).toBe('a');
  });

  it('has unknown values last either way', () => {
    for (const down of [true, false]) expect(figures.sorted(rows, { by: 'score', down }).at(-1)?.player).toBe('c');
  });
});

describe('words', () => {
  it('give intervals where there are any', () => {
    expect(figures.ratingText({ mean: 1623.4, low: 1543.4, high: 1703.4, n: 40 })).toBe('1623 ± 80');
    expect(figures.ratingText({ n: 3 })).toBe('–');
    expect(figures.scoreText({ mean: 0.5, low: null, high: null, n: 2 })).toBe('0.50');
    expect(figures.scoreText({ mean: 0.5, low: 0.25, high: 0.75, n: 2 })).toBe('0.50 (0.25–0.75)');
  });

  it('never call a chance certain', () => {
    expect([0.9999, 0.5, 0.0001].map(figures.chance)).toEqual(['> 99 %', '50 %', '< 1 %']);
  });

  it('list names and numbers', () => {
    expect(figures.listed(['a'])).toBe('a');
    expect(figures.listed(['a', 'b', 'c'])).toBe('a, b and c');
    expect(figures.listed(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
    expect([1, 2, 3, 4, 11, 12, 13, 21, 102].map(figures.ordinal).join(' ')).toBe(
      '1st 2nd 3rd 4th 11th 12th 13th 21st 102nd',
    );
  });

  it('span all values', () => {
    expect(figures.span([0, 100], 0.1)).toEqual([-10, 110]);
    expect(figures.span([])).toEqual([-1, 1]);
    expect(figures.span([5])[0]).toBeLessThan(5);
  });
});

it('says of how many matches a score is the mean', () => {
  expect([0, 1, 1200].map(figures.meanOf)).toEqual([
    'mean of 0 matches that count',
    'of the one match that counts',
    'mean of 1.2k matches that count',
  ]);
});
