import { expect, it } from 'vitest';

import type { MomentReactions } from '../types.gen';
import { countsText, reacted, reactionsAt } from './reactions';

const moment = (seq: number, counts: Record<string, number>): MomentReactions => ({ seq, counts, own: [] });
const moments = [moment(4, { bravo: 0, ouch: 12, tense: 3 }), moment(9, { bravo: 1, ouch: 0, tense: 0 })];

it('tells the counts that there are', () => {
  expect(moments.map(countsText)).toEqual(['Ouch 12, Tense 3', 'Bravo 1']);
});

it('finds those of a moment', () => {
  expect(reactionsAt(moments, 9)).toBe(moments[1]);
  expect(reactionsAt(moments, 5)).toBeNull();
});

it('sums them for the timeline', () => {
  expect(reacted(moments).map(({ seq, count }) => [seq, count])).toEqual([
    [4, 15],
    [9, 1],
  ]);
});
