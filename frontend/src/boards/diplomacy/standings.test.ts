import fc from 'fast-check';
import { expect, it } from 'vitest';

import { POWER_IDS } from './powers';
import { linesOf, spread, standing } from './standings';
import { EMPTY, type State } from './state';
import { STATES } from './testing/match';

const last = STATES.at(-1) as State;

it('tells of every power its centres by year, the change, and since when it is out', () => {
  expect(standing(last, 'AUSTRIA')).toMatchObject({ out: true, notes: ['out in 1903'] });
  for (const power of POWER_IDS) {
    const { history, change, most } = standing(last, power);
    expect(history).toHaveLength(last.history.length);
    expect(Math.max(...history)).toBeLessThanOrEqual(most);
    expect(change).toBe((history.at(-1) ?? 0) - (history.at(-2) ?? 0));
  }
  const [before, now] = last.history.slice(-2).map(({ counts }) => Object.values(counts).reduce((a, b) => a + b, 0));
  const sum = POWER_IDS.reduce((total, power) => total + standing(last, power).change, 0);
  expect(sum).toBe((now ?? 0) - (before ?? 0));
});

it('knows a power before the first turn', () => {
  expect(standing(EMPTY, 'TURKEY')).toEqual({ history: [], most: 18, change: 0, notes: [], out: false });
});

it('draws a line of equal length for each power that had a centre', () => {
  const lines = linesOf(last.history);
  expect(lines).toHaveLength(7);
  for (const { counts } of lines) expect(counts).toHaveLength(last.history.length);
});

it('moves labels apart, in order, and not at all where there is room', () => {
  const heights = fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(heights, (wanted) => {
      const placed = spread(wanted, 11);
      const order = wanted.map((_, n) => n).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
      order.slice(1).forEach((n, rank) => {
        expect((placed[n] ?? 0) - (placed[order[rank] ?? 0] ?? 0)).toBeGreaterThan(11 - 1e-6);
      });
    }),
  );
  expect(spread([50, 10, 90], 11)).toEqual([50, 10, 90]);
  expect(spread([40, 40], 10)).toEqual([35, 45]);
});
