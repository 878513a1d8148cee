import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { bounds, forest } from './forest';
import { criterion, verdict } from '../testing/plan';

const DIRECTIONS = ['greater', 'less', 'not_less', 'not_greater', 'equivalent'] as const;

describe('the drawing of a difference', () => {
  it('has the least effect on the side on which it counts', () => {
    expect(DIRECTIONS.map((direction) => bounds({ direction, least_effect: 2 }))).toEqual([
      [2],
      [-2],
      [-2],
      [2],
      [-2, 2],
    ]);
  });

  it('shades where the claim holds and matters', () => {
    const regions = DIRECTIONS.map((direction) => forest(criterion({ direction, least_effect: 0.05 }), null).region);
    const [greater, less, notLess, notGreater, equivalent] = regions;
    expect(greater?.[0]).toBe(0.05);
    expect(less?.[1]).toBe(-0.05);
    expect(notLess?.[0]).toBe(-0.05);
    expect(notGreater?.[1]).toBe(0.05);
    expect(equivalent).toEqual([-0.05, 0.05]);
  });

  it('keeps zero, the least effect and everything that was measured on the axis', () => {
    const size = fc.double({ min: -1e3, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...DIRECTIONS),
        fc.double({ min: 1e-6, max: 1e3, noNaN: true }),
        size,
        size,
        (direction, least, a, b) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)];
          const difference = { mean: (low + high) / 2, low, high, n: 3 };
          const drawing = forest(criterion({ direction, least_effect: least }), verdict({ difference }));
          const [from, to] = drawing.region;
          for (const value of [0, low, high, from, to, ...drawing.bounds, ...drawing.ticks]) {
            expect(drawing.scale(value)).toBeGreaterThanOrEqual(3 - 1e-6);
            expect(drawing.scale(value)).toBeLessThanOrEqual(97 + 1e-6);
          }
          expect(from).toBeLessThan(to);
          expect(drawing.ticks).toContain(0);
        },
      ),
    );
  });
});
