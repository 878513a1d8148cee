/** Scales, ticks and paths of all charts. */

export type Scale = (value: number) => number;

/** A pair of coordinates on the drawing. */
export type Place = readonly [x: number, y: number];

/** Return the linear function that maps one interval to another. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const k = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * k;
}

const ROUND = [1, 2, 5, 10];
/** Values whose relative difference is smaller count as equal. */
const SAME = 1e-9;

/** Return round values from at most `least` to at least `most`, about `count` of them. */
export function ticks(least: number, most: number, count: number): number[] {
  const size = Math.max(Math.abs(least), Math.abs(most));
  const around = size / 2 || 0.5;
  const [low, high] = most - least > SAME * size ? [least, most] : [least - around, least + around];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (ROUND.find((factor) => factor * power >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, n) => Number(((first + n) * step).toPrecision(12)));
}

/** Return whole numbers for an axis: about one per `room` pixels of `width`. */
export function stepTicks([first, last]: readonly [number, number], width: number, room = 56): number[] {
  const count = Math.max(1, Math.floor(width / room));
  const gap = Math.max(1, ticks(0, last - first, count)[1] ?? 1);
  const steps: number[] = [];
  for (let step = Math.ceil(first / gap) * gap; step <= last; step += gap) steps.push(step);
  return steps;
}

/** Return powers of ten from at most `least` to at least `most`, both above 0; about `count` of them at most. */
export function decades(least: number, most: number, count: number): number[] {
  const first = Math.floor(Math.log10(least) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(most) - 1e-9));
  const every = Math.ceil((last - first) / count);
  return Array.from({ length: Math.ceil((last - first) / every) + 1 }, (_, n) => 10 ** (first + n * every));
}

/** Return the SVG path through `points`, rounded to tenths of a pixel; '' for none. */
export function path(points: readonly Place[]): string {
  return points.length ? `M${points.map(([x, y]) => `${tenths(x)} ${tenths(y)}`).join('L')}` : '';
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Return the path of the area between two lines over the same steps. */
export function area(low: readonly Place[], high: readonly Place[]): string {
  return low.length ? `${path(high)}L${path([...low].reverse()).slice(1)}Z` : '';
}
