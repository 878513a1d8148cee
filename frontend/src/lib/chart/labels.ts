/** Labels beside the ends of lines. */

/**
 * Return positions near `wanted`, in the same order, that are at least `gap` apart and between `low` and `high` as far
 * as there is space.
 */
export function spread(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const places = order.map((index) => Math.min(high, Math.max(low, wanted[index] ?? 0)));
  for (let n = 1; n < places.length; n++) places[n] = Math.max(places[n] ?? 0, (places[n - 1] ?? 0) + gap);
  let limit = high;
  for (let n = places.length - 1; n >= 0 && (places[n] ?? 0) > limit; n--) {
    places[n] = limit;
    limit -= gap;
  }
  const result = new Array<number>(wanted.length).fill(0);
  order.forEach((index, n) => (result[index] = places[n] ?? 0));
  return result;
}
