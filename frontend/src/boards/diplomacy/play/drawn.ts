/** Drawings of chosen orders, as the board draws orders before anything has moved. */

import { drawings, type Anchors, type Drawing } from '../pieces/arrows';
import { arrowShape, part, type Curve } from '../story/curves';
import { provinceOf, type PlayedOrder } from '../orders';

/**
 * Return drawings of `chosen` for units of radius `r`; `occupied` contains the positions of units. A move is drawn in
 * full, and a support or convoy without a matching order is not shown as failed.
 */
export function draftDrawings(
  chosen: readonly PlayedOrder[],
  occupied: (province: string) => boolean,
  anchors: Anchors,
  r: number,
): readonly Drawing[] {
  return drawings({ phase: 'draft', orders: chosen }, anchors, r).map((drawing) => {
    const { order, way, mark } = drawing;
    const shape =
      way && order.kind === 'move' ? arrow(way, occupied(provinceOf(order.to ?? '')) ? r * 1.2 : 0, r) : drawing.shape;
    return { ...drawing, shape, mark: mark?.kind === 'build' ? mark : null };
  });
}

function arrow(way: Curve, short: number, r: number): string {
  const start = Math.min(r * 0.95, way.length * 0.3);
  const stop = way.length - Math.min(short, way.length * 0.3);
  const tip = Math.min(r * 0.92, (stop - start) * 0.7);
  return arrowShape(part(way, start, stop), { head: r * 0.58, tip, tail: r * 0.12, neck: r * 0.25 });
}
