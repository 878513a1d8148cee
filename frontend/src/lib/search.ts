/** Binary search. */

/** Return how many of `items`, ascending by `valueOf`, are at most `limit`. */
export function countUpTo<T>(items: readonly T[], limit: number, valueOf: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueOf(items[middle] as T) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return how many of `numbers`, ascending, are at most `limit`. */
export const countNumbersUpTo = (numbers: readonly number[], limit: number): number =>
  countUpTo(numbers, limit, (number) => number);
