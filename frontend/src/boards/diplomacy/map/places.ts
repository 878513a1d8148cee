/** Positions of units on the map, and the neighbouring province in a direction, for the keyboard. */

import type { Anchors } from '../pieces/arrows';
import { distance, type Point } from '../story/curves';
import { PROVINCES, type Spot } from './drawing';
import { provinceOf } from '../orders';

const NOWHERE: Spot = { unit: [0, 0], dislodged: [1, 1] };

function spot(place: string): Spot {
  const province = PROVINCES.get(provinceOf(place));
  return province?.coasts[place.slice(4)] ?? province ?? NOWHERE;
}

/** Return the anchors for units of radius `r`; a dislodged unit does not overlap the unit that took its place. */
export function anchorsFor(r: number): Anchors {
  return {
    unit: (place) => spot(place).unit,
    dislodged: (place) => {
      const { unit, dislodged } = spot(place);
      const [dx, dy] = [dislodged[0] - unit[0], dislodged[1] - unit[1]];
      const far = Math.max(1, (r * 1.9) / (Math.hypot(dx, dy) || 1));
      return [unit[0] + dx * far, unit[1] + dy * far] satisfies Point;
    },
  };
}

/**
 * Return the radius of a unit in units of the map, if the screen has `scale` pixels per unit. It is large enough on a
 * phone, and grows more slowly than the map. It changes in steps, so that resizing the window redraws little.
 */
export function radius(scale: number): number {
  if (scale <= 0) return 12;
  const pixels = Math.min(17, Math.max(6.4, 11.6 * Math.sqrt(scale / 0.8)));
  return Math.round((pixels / scale) * 4) / 4;
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';
const WAYS: Record<Direction, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Return the nearest province in a direction from `from` (of `among`, if given), or `from` if there is none. */
export function provinceToward(from: string, direction: Direction, among?: ReadonlySet<string>): string {
  const start = spot(from).unit;
  const [wx, wy] = WAYS[direction];
  let best = from;
  let least = Infinity;
  for (const { code, unit } of PROVINCES.values()) {
    const ahead = (unit[0] - start[0]) * wx + (unit[1] - start[1]) * wy;
    const far = distance(start, unit);
    if (code === from || ahead < far * 0.5 || among?.has(code) === false) continue;
    const cost = far * (2 - ahead / far);
    if (cost < least) [best, least] = [code, cost];
  }
  return best;
}
