import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { labels, near, nearReactions, rise, turnAt } from './timeline';

const ticks = Array.from({ length: 60 }, (_, index) => ({
  seq: index * 12,
  turn: `S${1901 + Math.floor(index / 3)}M`,
}));
const year = (turn: string): string => turn.slice(1, 5);

describe('timeline', () => {
  it('names each year once, and no two labels overlap at any width', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 2000 }), (width) => {
        const shown = labels(ticks, year, 720, width);
        const lefts = shown.map(({ seq }) => (seq / 720) * width);
        lefts.slice(1).forEach((left, index) => expect(left - (lefts[index] ?? 0)).toBeGreaterThanOrEqual(4 * 6.5));
        expect(new Set(shown.map(({ text }) => text)).size).toBe(shown.length);
        expect(shown.length).toBeGreaterThan(2);
      }),
    );
  });

  it('gives the weightiest marks near a moment first', () => {
    const mark = (seq: number, weight: 1 | 2 | 3) => ({ seq, weight, kind: 'note' as const, label: '' });
    const marks = [mark(10, 1), mark(11, 1), mark(12, 3), mark(40, 3)];
    expect(near(marks, 11, 2, 2).map(({ seq }) => seq)).toEqual([12, 11]);
  });

  it('knows the turn of a moment', () => {
    expect(turnAt(ticks, 13)?.seq).toBe(12);
    expect(turnAt(ticks, -1)).toBeUndefined();
  });
});

describe('the rise of reactions', () => {
  const reacted = (seq: number, count: number) => ({ seq, count, text: `Ouch ${count}` });

  it('is highest where most reacted, and spreads a little', () => {
    const heights = rise([reacted(500, 30), reacted(100, 15)], 1000);
    const top = heights.indexOf(1);
    expect(top).toBe((heights.length - 1) / 2);
    expect(heights[top + 1]).toBeGreaterThan(0);
    expect(heights[top + 3]).toBe(0);
    expect(heights[(heights.length - 1) / 10]).toBe(0.5);
  });

  it('is low for one viewer', () => {
    expect(Math.max(...rise([reacted(500, 1)], 1000))).toBeCloseTo(1 / 3);
  });

  it('is told near a place', () => {
    expect(nearReactions([reacted(9, 2), reacted(12, 4), reacted(90, 9)], 10, 5, 1)).toEqual(['Ouch 4']);
  });
});
