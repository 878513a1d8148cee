/** The steps of ← and →, and of playback. */

import { countNumbersUpTo } from '../../lib/search';
import type { Slot } from './store';

/** Return the first of `steps` (ascending) after `seq`, or undefined. */
export function stepAfter(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq)];
}

/** Return the last of `steps` before `seq`, or undefined. */
export function stepBefore(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq - 1) - 1];
}

/** Return the time of the last known event up to `seq` in Unix seconds, or 0. Withheld events have no time. */
export function timeAt(slots: readonly Slot[], seq: number): number {
  for (let back = Math.min(seq, slots.length - 1); back >= 0; back--) {
    const slot = slots[back];
    if (slot) return slot.at;
  }
  return 0;
}
