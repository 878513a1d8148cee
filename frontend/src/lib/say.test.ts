import { expect, test } from 'vitest';

import { agree, listed, many } from './say';

test('a number agrees with what it counts', () => {
  expect([0, 1, 2].map((count) => many(count, 'seat'))).toEqual(['0 seats', '1 seat', '2 seats']);
  expect([1, 12].map((count) => many(count, 'match', 'matches'))).toEqual(['1 match', '12 matches']);
  expect(agree(1, 'match is', 'matches are')).toBe('match is');
});

test('a list reads as a sentence does', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['', 'a', 'a and b', 'a, b, and c']);
});
