import { describe, expect, it } from 'vitest';

import { event } from '../../testing/episode';
import type { View } from '../view';
import { lagOf } from './lag';

const slots = [0, 1, 2, 3].map((seq) => event(seq, 'Added', { by: seq }));
const view = (seq: number, more: Partial<View> = {}): View =>
  ({
    following: true,
    late: true,
    seq,
    landmarks: { steps: [1, 3], marks: [], ticks: [], broken: [] },
    store: { slots },
    ...more,
  }) as unknown as View;

// The event n happened at 1000 + n.
describe('the distance to the live match', () => {
  it('is the age of the next step that is not pictured', () => {
    expect(lagOf(view(0), 1011)).toBe(10);
    expect(lagOf(view(1), 1011)).toBe(8);
    expect(lagOf(view(1), 1011, 4)).toBe(4);
  });

  it('is none within a moment, at the head and where the reader looks elsewhere', () => {
    expect(lagOf(view(1), 1006)).toBeNull();
    expect(lagOf(view(3), 1099)).toBeNull();
    expect(lagOf(view(0, { late: false }), 1099)).toBeNull();
    expect(lagOf(view(0, { following: false }), 1099)).toBeNull();
  });
});
