/** Scales, ticks and paths of the charts. */

import type { Point } from './state';

export type Scale = (value: number) => number;

/** Pixels around what is drawn in a chart. */
export const EDGE = { left: 42, right: 10, top: 8, bottom: 20 };

/** The straight line that takes `domain` to `range`. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const k = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * k;
}

const ROUND = [1, 2, 5, 10];
/** Values that differ by less, of their size, are one. */
const SAME = 1e-9;

/** Round values from at most `least` to at least `most`, about `count` steps of them. */
export function ticks(least: number, most: number, count: number): number[] {
  const size = Math.max(Math.abs(least), Math.abs(most));
  const around = size / 2 || 0.5;
  const [low, high] = most - least > SAME * size ? [least, most] : [least - around, least + around];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (ROUND.find((one) => one * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** Steps to name under an axis: about one every `room` pixels of `width`, whole numbers. */
export function stepTicks([first, last]: readonly [number, number], width: number, room = 56): number[] {
  const count = Math.max(1, Math.floor(width / room));
  const gap = Math.max(1, ticks(0, last - first, count)[1] ?? 1);
  const found: number[] = [];
  for (let step = Math.ceil(first / gap) * gap; step <= last; step += gap) found.push(step);
  return found;
}

/** Powers of ten from at most `least` to at least `most`, both above 0; at most about `count` of them. */
export function decades(least: number, most: number, count: number): number[] {
  const first = Math.floor(Math.log10(least) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(most) - 1e-9));
  const every = Math.ceil((last - first) / count);
  return Array.from({ length: Math.ceil((last - first) / every) + 1 }, (_, n) => 10 ** (first + n * every));
}

export function path(points: readonly (readonly [number, number])[]): string {
  return points.length ? `M${points.map(([x, y]) => `${tenths(x)} ${tenths(y)}`).join('L')}` : '';
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** The area between two lines over the same steps. */
export function area(
  low: readonly (readonly [number, number])[],
  high: readonly (readonly [number, number])[],
): string {
  return low.length ? `${path(high)}L${path([...low].reverse()).slice(1)}Z` : '';
}

/** The least and the greatest of the values, each with `half` of its interval to both sides; none of none. */
export function extent(points: readonly Point[], half: readonly number[] = []): number[] {
  if (!points.length) return [];
  let [least, most] = [Infinity, -Infinity];
  points.forEach(([, value], n) => {
    least = Math.min(least, value - (half[n] ?? 0));
    most = Math.max(most, value + (half[n] ?? 0));
  });
  return [least, most];
}

/** At most about `limit` of `points`: each the mean of its neighbours, or the greatest of them where `peaks` count. */
export function thin(points: readonly Point[], limit: number, peaks = false): readonly Point[] {
  if (points.length <= limit) return points;
  const size = Math.ceil(points.length / limit);
  const found: Point[] = [];
  for (let at = 0; at < points.length; at += size) {
    const bucket = points.slice(at, at + size);
    const values = bucket.map(([, value]) => value);
    const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length;
    found.push([mean(bucket.map(([step]) => step)), peaks ? Math.max(...values) : mean(values)]);
  }
  return found;
}

/** The running mean, in which a step weighs half as much as the one `half` steps later. */
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
