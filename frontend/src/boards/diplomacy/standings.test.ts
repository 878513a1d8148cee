import fc from 'fast-check';
import { expect, it } from 'vitest';

import { linesOf, spread, standings } from './standings';
import { EMPTY, type State } from './state';
import { STATES } from './testing/match';

const last = STATES.at(-1) as State;

it('ranks the powers, most centres first, all seven always', () => {
  for (const state of STATES) {
    const rows = standings(state);
    expect(rows).toHaveLength(7);
    rows.forEach((row, index) => expect(row.centers).toBeLessThanOrEqual(rows[index - 1]?.centers ?? 34));
  }
  expect(standings(EMPTY).map(({ power }) => power)).toEqual([
    'AUSTRIA',
    'ENGLAND',
    'FRANCE',
    'GERMANY',
    'ITALY',
    'RUSSIA',
    'TURKEY',
  ]);
});

it('counts units, the change of the year, and who is out since when', () => {
  const austria = standings(last).find(({ power }) => power === 'AUSTRIA');
  expect(austria).toMatchObject({ centers: 0, units: 0, out: 'W1903A' });
  const change = standings(last).reduce((sum, row) => sum + row.change, 0);
  const [before, now] = last.history.slice(-2).map(({ counts }) => Object.values(counts).reduce((a, b) => a + b, 0));
  expect(change).toBe((now ?? 0) - (before ?? 0));
});

it('shows who is ready until the phase is over', () => {
  const ready = STATES.map((state) => standings(state).filter((row) => row.ready).length);
  expect(Math.max(...ready)).toBeGreaterThan(4);
  expect(ready.at(-1)).toBe(0);
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
