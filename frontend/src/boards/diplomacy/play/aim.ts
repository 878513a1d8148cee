/** Which province is meant: by a finger that is wider than a province, or by an arrow key. Pure. */

import type { Anchors } from '../arrows';
import { distance, type Point } from '../curves';

/** The province under the pointer where it is one of `among`, else the nearest of those within `reach`, else that under it. */
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
