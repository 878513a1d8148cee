import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { SPEEDS, stepAfter, stepBefore, timeAt, wait } from './playback';
import { EMPTY, reduce } from './store';
import { frames } from '../testing/episode';

const { slots } = reduce(EMPTY, { do: 'frames', frames: frames(30) });
const ascending = fc.uniqueArray(fc.nat(200)).map((steps) => steps.sort((a, b) => a - b));
const speed = (id: string): (typeof SPEEDS)[number] => {
  const found = SPEEDS.find((candidate) => candidate.id === id);
  if (!found) throw new Error(id);
  return found;
};

describe('playback', () => {
  it('finds the neighbouring steps of any number', () => {
    fc.assert(
      fc.property(ascending, fc.nat(220), (steps, seq) => {
        expect(stepAfter(steps, seq)).toBe(steps.find((step) => step > seq));
        expect(stepBefore(steps, seq)).toBe(steps.findLast((step) => step < seq));
      }),
    );
  });

  it('plays at the pace at which it happened, or so many times faster, or evenly', () => {
    expect(wait(slots, 4, 8, speed('1x'))).toBe(4000);
    expect(wait(slots, 4, 8, speed('4x'))).toBe(1000);
    expect(wait(slots, 4, 8, speed('steady'))).toBe(1200);
    expect(wait(slots, 4, 4, speed('64x'))).toBe(16);
  });

  it('takes the time of what is withheld from the event before it', () => {
    expect(slots[3]).toBeNull();
    expect(timeAt(slots, 3)).toBe(1002);
    expect(timeAt(slots, 999)).toBe(1029);
    expect(timeAt([], 0)).toBe(0);
  });
});
