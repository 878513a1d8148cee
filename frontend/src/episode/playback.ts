/** When the next step of a replay is due. Pure: the clock is the caller's. */

import { countNumbersUpTo } from '../lib/search';
import type { Slot } from './store';

export interface Speed {
  id: string;
  label: string;
  /** Milliseconds a step; or, with `rate`, the pace at which it happened, so many times faster. */
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

/** The shortest wait: what comes faster is shown at one frame's distance. */
const SHORTEST = 16;

/** The first of `steps` (ascending) after `seq`; undefined after the last. */
export function stepAfter(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq)];
}

/** The last of `steps` before `seq`; undefined before the first. */
export function stepBefore(steps: readonly number[], seq: number): number | undefined {
  return steps[countNumbersUpTo(steps, seq - 1) - 1];
}

/** Milliseconds from showing `seq` to showing `next` at `speed`. */
export function wait(slots: readonly Slot[], seq: number, next: number, speed: Speed): number {
  if (speed.step !== undefined) return speed.step;
  const elapsed = timeAt(slots, next) - timeAt(slots, seq);
  return Math.max(SHORTEST, (elapsed * 1000) / (speed.rate ?? 1));
}

/** When the last known event up to `seq` happened, Unix seconds; what is withheld has no time. 0 where none is known. */
export function timeAt(slots: readonly Slot[], seq: number): number {
  for (let back = Math.min(seq, slots.length - 1); back >= 0; back--) {
    const slot = slots[back];
    if (slot) return slot.at;
  }
  return 0;
}
