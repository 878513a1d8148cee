import { expect, test } from 'vitest';

import { rating } from './rating';

test('a player without a record is not rated', () => {
  expect(rating(undefined)).toBe('not rated yet');
});

test('a score comes with its interval and with what it is over', () => {
  expect(rating({ seats: 12, scored: 12, mean_score: 0.42, ci95: [0.31, 0.55] })).toBe(
    '0.42 (0.31–0.55) over 12 seats',
  );
  expect(rating({ seats: 1, scored: 1, mean_score: 0.5, ci95: null })).toBe('0.50 over 1 seat');
});

test('what its fallback played is not its score', () => {
  expect(rating({ seats: 14, scored: 12, mean_score: 0.42, ci95: [0.31, 0.55] })).toBe(
    '0.42 (0.31–0.55) over 12 seats, 2 not counted',
  );
  expect(rating({ seats: 2, scored: 0, mean_score: null, ci95: null })).toBe(
    '– (its fallback or another player played in all its 2 seats)',
  );
});
