/** Series of measured values: their extent, thinned and smoothed. */

/** A measured value at a step. */
export type Point = readonly [step: number, value: number];

/** Return the least and the greatest value, each widened by `half` of its interval; [] for no points. */
export function extent(points: readonly Point[], half: readonly number[] = []): number[] {
  if (!points.length) return [];
  let [least, most] = [Infinity, -Infinity];
  points.forEach(([, value], n) => {
    least = Math.min(least, value - (half[n] ?? 0));
    most = Math.max(most, value + (half[n] ?? 0));
  });
  return [least, most];
}

/** Return at most about `limit` of `points`: the mean of each group of neighbours, or its maximum if `peaks` is set. */
export function thin(points: readonly Point[], limit: number, peaks = false): readonly Point[] {
  if (points.length <= limit) return points;
  const size = Math.ceil(points.length / limit);
  const means: Point[] = [];
  for (let at = 0; at < points.length; at += size) {
    const bucket = points.slice(at, at + size);
    const values = bucket.map(([, value]) => value);
    const mean = (all: readonly number[]): number => all.reduce((sum, value) => sum + value, 0) / all.length;
    means.push([mean(bucket.map(([step]) => step)), peaks ? Math.max(...values) : mean(values)]);
  }
  return means;
}

/** Return the running mean, in which the weight of a step halves every `half` steps. */
export function smooth(points: readonly Point[], half = 3): Point[] {
  const decay = 0.5 ** (1 / half);
  let sum = 0;
  let weight = 0;
  return points.map(([step, value]) => {
    sum = decay * sum + value;
    weight = decay * weight + 1;
    return [step, sum / weight];
  });
}
