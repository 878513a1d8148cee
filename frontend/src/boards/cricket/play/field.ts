/** Setting a field: the positions, the restrictions, and the position under the pointer. Pure. */

import fielding from '../../../../../grandstand/games/cricket/data/fielding.json';
import type { Point } from '../ground/camera';
import { placeOf } from '../ground/places';
import type { Chosen } from '../../../seat/slots';
import type { Restriction } from '../events.gen';

/** The nine positions of each preset. */
export const PRESETS: Readonly<Record<string, readonly string[]>> = fielding.presets;

/** All positions of fielders. */
export const POSITIONS: readonly string[] = Object.keys(fielding.positions).filter(
  (name) => name !== 'wicketkeeper' && name !== 'bowler',
);

/** Return the field that is chosen: own positions, a preset, or else the one that stands. */
export function fieldOf(chosen: Chosen, standing: readonly string[]): readonly string[] {
  const { preset, positions } = chosen;
  if (preset === 'own') return Array.isArray(positions) ? positions : standing;
  return PRESETS[String(preset)] ?? standing;
}

/** Return the restriction that the field breaks: `3 outside the circle, at most 2`. */
export function breaches(restrictions: readonly Restriction[], field: readonly string[]): string[] {
  return restrictions.flatMap(({ where, most, places }) => {
    const standing = field.filter((position) => places.includes(position)).length;
    return standing > most ? [`${standing} ${where}, at most ${most}`] : [];
  });
}

/** Return the field after the fielder at `from` has moved to `to`; a fielder there moves to `from`. */
export function moved(field: readonly string[], from: string, to: string): readonly string[] {
  return field.map((position) => (position === from ? to : position === to ? from : position));
}

/** Return the preset with the same positions in any order, or null. */
export function presetOf(field: readonly string[]): string | null {
  const sorted = [...field].sort().join();
  return Object.keys(PRESETS).find((name) => [...(PRESETS[name] ?? [])].sort().join() === sorted) ?? null;
}

/** Return the position whose spot in `spots` is nearest to a point of the screen. */
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
 * Return the nearest of `positions` in the direction of `key` from `from`, with the bowler at the bottom, or `from` if
 * there is none. `side` is 1 if the leg side is on the right.
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
