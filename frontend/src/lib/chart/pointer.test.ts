import { expect, test } from 'vitest';

import { keyedIndex, nearestPlace } from './pointer';

const key = (name: string): KeyboardEvent => ({ key: name }) as KeyboardEvent;

test('the nearest place is chosen, and the ends beyond them', () => {
  expect([-3, 2.9, 5.4, 7.6, 99].map((x) => nearestPlace([0, 5, 6, 8], x))).toEqual([0, 1, 1, 3, 3]);
  expect(nearestPlace([], 4)).toBe(0);
});

test('the keys move by one place or to an end, and stop at the ends', () => {
  expect(keyedIndex(key('ArrowLeft'), 0, 3)).toBe(0);
  expect(keyedIndex(key('ArrowLeft'), 2, 3)).toBe(1);
  expect(keyedIndex(key('ArrowRight'), 1, 3)).toBe(2);
  expect(keyedIndex(key('ArrowRight'), 2, 3)).toBe(2);
  expect(keyedIndex(key('Home'), 2, 3)).toBe(0);
  expect(keyedIndex(key('End'), 0, 3)).toBe(2);
  expect(keyedIndex(key('a'), 1, 3)).toBeNull();
});
