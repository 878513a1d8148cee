/** Scales and ticks of the charts. */

export type Scale = (value: number) => number;

/** The straight line that takes `domain` to `range`. */
export function linear([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Scale {
  const k = to === from ? 0 : (end - start) / (to - from);
  return (value) => start + (value - from) * k;
}

const ROUND = [1, 2, 5];

/** Round values from 0 to at least `most`, at most `limit` steps of them. */
export function ticks(most: number, limit = 5): number[] {
  const rough = Math.max(1, most) / limit;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (ROUND.find((one) => one * power >= rough) ?? 10) * power);
  return Array.from({ length: Math.ceil(Math.max(1, most) / step) + 1 }, (_, n) => n * step);
}

/** Overs to name under an axis of `overs`: every one, or every second, fifth … as there is room. */
export function overTicks(overs: number, room: number): number[] {
  const step = [1, 2, 5, 10].find((one) => overs / one <= room) ?? 10;
  return Array.from({ length: Math.floor(overs / step) + 1 }, (_, n) => n * step);
}

export function line(points: readonly (readonly [number, number])[]): string {
  return points.length ? `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}` : '';
}
