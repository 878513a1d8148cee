/** Setting a field: who stands where, what may not be, and which position a fielder is dragged to. Pure. */

import fielding from '../../../../../games/cricket/data/fielding.json';
import type { Point } from '../camera';
import { placeOf } from '../places';
import type { Restriction } from '../events.gen';

/** By preset, its nine positions. */
export const PRESETS: Readonly<Record<string, readonly string[]>> = fielding.presets;

/** What the umpire would call no-ball for: `3 outside the circle, at most 2`. */
export function breaches(restrictions: readonly Restriction[], field: readonly string[]): string[] {
  return restrictions.flatMap(({ where, most, places }) => {
    const standing = field.filter((position) => places.includes(position)).length;
    return standing > most ? [`${standing} ${where}, at most ${most}`] : [];
  });
}

/** The fielder at `from` goes to `to`; where somebody stands there, the two change places. */
export function moved(field: readonly string[], from: string, to: string): readonly string[] {
  return field.map((position) => (position === from ? to : position === to ? from : position));
}

/** The preset with the same positions, in whatever order; null where it is a field of its own. */
export function presetOf(field: readonly string[]): string | null {
  const sorted = [...field].sort().join();
  return Object.keys(PRESETS).find((name) => [...(PRESETS[name] ?? [])].sort().join() === sorted) ?? null;
}

/** Of the positions drawn at `spots`, the one nearest to a point of the screen. */
export function nearest(spots: ReadonlyMap<string, Point>, [x, y]: Point): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const [position, [px, py]] of spots) {
    const far = Math.hypot(px - x, py - y);
    if (far < least) [best, least] = [position, far];
  }
  return best;
}

const WAYS: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * Of `positions`, the nearest that way of `from` as the bowler looks, who stands below; `side` is 1 where the leg side is
 * to the right. `from` itself where there is none.
 */
export function toward(positions: readonly string[], from: string, key: string, side: 1 | -1): string {
  const start = placeOf(from);
  const way = WAYS[key];
  if (!start || !way) return from;
  let best = from;
  let least = Infinity;
  for (const position of positions) {
    const at = placeOf(position);
    if (!at || position === from) continue;
    const [right, up] = [side * (at.leg - start.leg), at.up - start.up];
    const far = Math.hypot(right, up);
    const ahead = right * way[0] + up * way[1];
    if (ahead < far * 0.5) continue;
    const cost = far * (3 - (2 * ahead) / far);
    if (cost < least) [best, least] = [position, cost];
  }
  return best;
}
