/** The times of the steps of a replay. Pure: the caller has the clock. */

import { countNumbersUpTo } from '../lib/search';
import type { Slot } from './store';

export interface Speed {
  id: string;
  label: string;
  /** Milliseconds per step or, with `rate`, a multiple of the original pace. */
  step?: number;
  rate?: number;
}

export const SPEEDS: readonly [Speed, ...Speed[]] = [
  { id: 'steady', label: 'Steady', step: 1200 },
  { id: 'slow', label: 'Slow', step: 3000 },
  { id: 'fast', label: 'Fast', step: 350 },
  { id: '1x', label: 'As played', rate: 1 },
  { id: '4x', label: '4 ×', rate: 4 },
  { id: '16x', label: '16 ×', rate: 16 },
  { id: '64x', label: '64 ×', rate: 64 },
];

/** The shortest wait. Events that are closer together are shown this far apart. */
const SHORTEST = 16;

/** Return the first of `steps` (ascending) after `seq`, or undefined. */
export function stepAfter(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq)];
}

/** Return the last of `steps` before `seq`, or undefined. */
export function stepBefore(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq - 1) - 1];
}

/** Return the milliseconds between showing `seq` and showing `next` at `speed`. */
export function wait(slots: readonly Slot[], seq: number, next: number, speed: Speed): number {
  if (speed.step !== undefined) return speed.step;
  const elapsed = timeAt(slots, next) - timeAt(slots, seq);
  return Math.max(SHORTEST, (elapsed * 1000) / (speed.rate ?? 1));
}

/** Return the time of the last known event up to `seq` in Unix seconds, or 0. Withheld events have no time. */
export function timeAt(slots: readonly Slot[], seq: number): number {
  for (let back = Math.min(seq, slots.length - 1); back >= 0; back--) {
    const slot = slots[back];
    if (slot) return slot.at;
  }
  return 0;
}
