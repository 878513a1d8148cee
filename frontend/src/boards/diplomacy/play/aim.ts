/** The province that a finger, which may cover several, or an arrow key selects. Pure. */

import type { Anchors } from '../pieces/arrows';
import { distance, type Point } from '../story/curves';

/**
 * Return the province under the pointer if it is in `among`, else the nearest of those within `reach`, else the
 * province under the pointer.
 */
export function aim(
  under: string | null,
  at: Point,
  among: ReadonlySet<string>,
  anchors: Anchors,
  reach: number,
): string | null {
  if (under !== null && among.has(under)) return under;
  const near = [...among]
    .map((province) => ({ province, far: distance(at, anchors.unit(province)) }))
    .filter(({ far }) => far <= reach)
    .sort((a, b) => a.far - b.far);
  return near[0]?.province ?? under;
}
