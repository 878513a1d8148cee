import { expect, it } from 'vitest';

import { phaseTitle, seasonTitle, turn } from './phases';

it('names phases in full and for a tick', () => {
  expect(phaseTitle('S1901M')).toBe('Spring 1901, moves');
  expect(phaseTitle('F1912R')).toBe('Fall 1912, retreats');
  expect(turn('W1901A')).toEqual({ title: 'Winter 1901, builds', tick: '1901', chapter: '1901', beat: 'Winter' });
});

it('leaves what is no phase as it is', () => {
  expect(turn('COMPLETED')).toEqual({ title: 'COMPLETED', tick: 'COMPLETED', chapter: 'COMPLETED', beat: '' });
});

it('names a season by the phases that were played of it', () => {
  expect(seasonTitle(['F1901M', 'F1901R', 'W1901A'])).toBe('Fall 1901: moves, retreats, and builds');
  expect(seasonTitle([])).toBe('');
});
