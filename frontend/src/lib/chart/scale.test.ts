import fc from 'fast-check';
import { expect, test } from 'vitest';

import { area, decades, linear, path, stepTicks, ticks } from './scale';

test('ticks are round, cover what they are for and are about as many as wanted', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      fc.integer({ min: 2, max: 6 }),
      (least, range, count) => {
        const marks = ticks(least, least + range, count);
        const slack = 1e-8 * (Math.abs(least) + range);
        expect(marks[0] ?? NaN).toBeLessThanOrEqual(least + slack);
        expect(marks.at(-1) ?? NaN).toBeGreaterThanOrEqual(least + range - slack);
        expect(marks.length).toBeLessThanOrEqual(count + 3);
        expect(new Set(marks).size).toBe(marks.length);
      },
    ),
  );
  expect(ticks(-0.4, 1.4, 4)).toEqual([-0.5, 0, 0.5, 1, 1.5]);
  expect(ticks(3, 3, 2)).toEqual([0, 2, 4, 6]);
});

test('steps are named where there is room, at whole numbers', () => {
  expect(stepTicks([1, 30], 300)).toEqual([10, 20, 30]);
  expect(stepTicks([1, 5], 1000)).toEqual([1, 2, 3, 4, 5]);
  expect(stepTicks([1, 2], 0)).toEqual([1, 2]);
});

test('decades cover what they are for', () => {
  expect(decades(0.4, 71, 5)).toEqual([0.1, 1, 10, 100]);
  expect(decades(3e-6, 1e-4, 3)).toEqual([1e-6, 1e-5, 1e-4].map((decade) => expect.closeTo(decade, 12) as number));
  expect(decades(1e-6, 1e6, 3)).toHaveLength(4);
});

test('paths and areas', () => {
  const y = linear([0, 10], [100, 0]);
  expect([y(0), y(10), y(2.5)]).toEqual([100, 0, 75]);
  expect(linear([3, 3], [7, 9])(3)).toBe(7);
  expect(path([])).toBe('');
  expect(
    path([
      [0, 1],
      [2, 3.04],
    ]),
  ).toBe('M0 1L2 3');
  expect(
    area(
      [
        [0, 0],
        [1, 0],
      ],
      [
        [0, 1],
        [1, 2],
      ],
    ),
  ).toBe('M0 1L1 2L1 0L0 0Z');
  expect(area([], [])).toBe('');
});
