/** The components of the reward: each one's share of the variance of the decisions' rewards. */

import type { Point } from '../../../lib/chart/series';
import { hue } from '../../../lib/chart/hue';
import { named, series, type Run } from '../state';

export interface Component {
  name: string;
  colour: string;
  points: readonly Point[];
}

/** Sums over several components, which are not components themselves. */
const SUMS = new Set(['step', 'final']);

export function components(run: Run): Component[] {
  return named(run, /^reward\/(.+)_share$/)
    .filter((name) => !SUMS.has(name))
    .map((name, index) => ({ name, colour: hue(index), points: series(run, `reward/${name}_share`) }));
}

export interface Layer {
  name: string;
  colour: string;
  low: Point[];
  high: Point[];
}

/**
 * Return the components as layers that fill the chart. A negative share (a component that compensates others) has no
 * height; the numbers beside the chart show it.
 */
export function layers(all: readonly Component[]): Layer[] {
  const height = new Map<number, number>();
  for (const { points } of all)
    for (const [step, share] of points) height.set(step, (height.get(step) ?? 0) + Math.max(0, share));
  const reached = new Map<number, number>();
  return all.map(({ name, colour, points }) => {
    const known = new Map(points);
    const low: Point[] = [];
    const high: Point[] = [];
    for (const [step, whole] of height) {
      const from = reached.get(step) ?? 0;
      const to = from + (whole > 0 ? Math.max(0, known.get(step) ?? 0) / whole : 0);
      low.push([step, from]);
      high.push([step, to]);
      reached.set(step, to);
    }
    return { name, colour, low, high };
  });
}
