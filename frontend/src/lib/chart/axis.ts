/** The axis that the estimates of a column share. */

import { linear, ticks, type Scale } from './scale';
import type { Estimate } from '../../types.gen';

export interface Axis {
  /** From a value to per cent of the width. */
  readonly scale: Scale;
  readonly ticks: readonly number[];
}

/** Per cent of the width left free at each end, for the dots. */
const EDGE = 4;
const COUNT = 4;

/** Return the axis over all means and intervals, or null if there is no estimate. */
export function axis(estimates: readonly Estimate[]): Axis | null {
  const values = estimates.flatMap(({ mean, low, high }) => [mean, low, high].filter((value) => value != null));
  if (!values.length) return null;
  const all = ticks(Math.min(...values), Math.max(...values), COUNT);
  const scale = linear([all[0] ?? 0, all.at(-1) ?? 1], [EDGE, 100 - EDGE]);
  return { scale, ticks: all };
}
