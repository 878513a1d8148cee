import { expect, test } from 'vitest';

import { spread } from './labels';

test('labels that are apart stay, and others are moved as little as needed', () => {
  expect(spread([10, 50, 90], 15, 0, 100)).toEqual([10, 50, 90]);
  expect(spread([50, 52, 51], 15, 0, 100)).toEqual([50, 80, 65]);
});

test('labels stay within the drawing as long as there is space', () => {
  expect(spread([95, 98], 15, 0, 100)).toEqual([85, 100]);
  expect(spread([-20], 15, 0, 100)).toEqual([0]);
  expect(spread([], 15, 0, 100)).toEqual([]);
});
