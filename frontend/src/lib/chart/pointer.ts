/** Choosing a place of a chart. */

import { countUpTo } from '../search';

/** Return the index of the place that is nearest to `x`. */
export function nearestPlace(places: readonly number[], x: number): number {
  const next = countUpTo(places, x, (place) => place);
  const before = places[next - 1];
  const after = places[next];
  if (before === undefined || after === undefined) return before === undefined ? 0 : next - 1;
  return x - before <= after - x ? next - 1 : next;
}

/** Return the index that a key moves to from `index` among `count`; null for a key that does not move. */
export function keyedIndex({ key }: KeyboardEvent, index: number, count: number): number | null {
  const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key];
  return to === undefined ? null : Math.max(0, Math.min(count - 1, to));
}
