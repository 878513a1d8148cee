import { expect, it } from 'vitest';

import type { PlayerMatch } from '../types.gen';
import { against, filterOf, filtersFor, whyNot } from './matches';

const match = (more: Partial<PlayerMatch> = {}): PlayerMatch => ({
  episode_id: 'a',
  title: 'A',
  ended_at: 0,
  seats: ['FRANCE'],
  opponents: ['bot', 'a:b'],
  score: 0.4,
  won: false,
  counted: true,
  forfeited: false,
  faults: 0,
  fallbacks: 0,
  assisted: 0,
  ...more,
});

it('filters by what happened, or by the opponent, whatever its name is', () => {
  expect(filterOf('won').holds(match({ won: true }))).toBe(true);
  expect(filterOf('won').holds(match())).toBe(false);
  expect(filterOf(against('a:b')).holds(match())).toBe(true);
  expect(filterOf(against('b')).holds(match())).toBe(false);
  expect(filterOf('nonsense').id).toBe('all');
});

it('offers the filters that have matches, and the current one', () => {
  const matches = [match({ faults: 1, counted: false, fallbacks: 2 })];
  expect(filtersFor(matches, filterOf('all')).map(({ id }) => id)).toEqual(['all', 'uncounted', 'faults', 'fallbacks']);
  expect(filtersFor(matches, filterOf('won')).map(({ id }) => id)).toContain('won');
  expect(filtersFor(matches, filterOf(against('bot'))).at(-1)?.title).toBe('Against bot');
});

it('says why a match does not count', () => {
  expect(whyNot(match())).toBe('');
  expect(whyNot(match({ counted: false, fallbacks: 1 }))).toBe('not counted: its fallback made 1 decision');
  expect(whyNot(match({ counted: false, assisted: 3 }))).toBe('not counted: another player decided for it');
  expect(whyNot(match({ counted: false }))).toBe('not counted: it made no decision');
  expect(whyNot(match({ forfeited: true }))).toBe('forfeited');
});
