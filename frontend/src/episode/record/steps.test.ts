import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { stepAfter, stepBefore, timeAt } from './steps';
import { EMPTY, reduce } from './store';
import { frames } from '../../testing/episode';

const { slots } = reduce(EMPTY, { do: 'frames', frames: frames(30) });
const ascending = fc.uniqueArray(fc.nat(200)).map((steps) => steps.sort((a, b) => a - b));
describe('steps', () => {
  it('finds the neighbouring steps of any number', () => {
    fc.assert(
      fc.property(ascending, fc.nat(220), (steps, seq) => {
        expect(stepAfter(steps, seq)).toBe(steps.find((step) => step > seq));
        expect(stepBefore(steps, seq)).toBe(steps.findLast((step) => step < seq));
      }),
    );
  });

  it('takes the time of what is withheld from the event before it', () => {
    expect(slots[3]).toBeNull();
    expect(timeAt(slots, 3)).toBe(1002);
    expect(timeAt(slots, 999)).toBe(1029);
    expect(timeAt([], 0)).toBe(0);
  });
});
