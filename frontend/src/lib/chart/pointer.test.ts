import { expect, test } from 'vitest';

import { keyedIndex, pointedIndex, pointedShare } from './pointer';

const MARGINS = { left: 20, right: 30 };
const at = (clientX: number): PointerEvent =>
  ({ clientX, currentTarget: { getBoundingClientRect: () => ({ left: 100 }) } }) as unknown as PointerEvent;
const key = (name: string): KeyboardEvent => ({ key: name }) as KeyboardEvent;

test('the share runs from 0 to 1 between the margins', () => {
  expect([120, 220, 320].map((x) => pointedShare(at(x), 250, MARGINS))).toEqual([0, 0.5, 1]);
});

test('the nearest point is chosen, and the ends beyond the margins', () => {
  expect([0, 120, 165, 175, 320, 999].map((x) => pointedIndex(at(x), 5, 250, MARGINS))).toEqual([0, 0, 1, 1, 4, 4]);
});

test('the arrow keys move by one point and stop at the ends', () => {
  expect(keyedIndex(key('ArrowLeft'), 0, 3)).toBe(0);
  expect(keyedIndex(key('ArrowLeft'), 2, 3)).toBe(1);
  expect(keyedIndex(key('ArrowRight'), 1, 3)).toBe(2);
  expect(keyedIndex(key('ArrowRight'), 2, 3)).toBe(2);
  expect(keyedIndex(key('a'), 1, 3)).toBeNull();
});
