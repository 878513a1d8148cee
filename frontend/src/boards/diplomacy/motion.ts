/** The animation of a phase: arrows grow, units follow them, and dislodged units move aside. */

import type { Anchors, Drawing } from './arrows';
import { pointAt, type Point } from './curves';
import { done, provinceOf } from './orders';
import type { State } from './state';

/** The animation of one element. Points are in units of the map. */
export interface Motion {
  /** A selector of the element within the map. */
  readonly of: string;
  readonly frames: Keyframe[];
  readonly timing: KeyframeAnimationOptions;
}

// Milliseconds. Orders appear first, then units move, then dislodged units move aside.
const WRITE = { delay: 0, duration: 320, easing: 'ease-out' };
const GROW = { delay: 120, duration: 560, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };
const GLIDE = { delay: 380, duration: 780, easing: 'cubic-bezier(0.45, 0, 0.2, 1)' };
const CLASH = { delay: 860, duration: 200, easing: 'ease-out' };
const PUSH = { delay: 980, duration: 320, easing: 'cubic-bezier(0.2, 0.8, 0.3, 1)' };
const STEPS = 10;

/** Return all animations of the change from the orders of a phase to `after`; `r` is the radius of a unit. */
export function motions(drawings: readonly Drawing[], after: State, anchors: Anchors, r: number): Motion[] {
  const k = r / 12;
  return [
    ...drawings.flatMap((drawing) => [...written(drawing), ...glided(drawing, after, anchors, k)]),
    ...Object.values(after.dislodged).flatMap((unit) => [
      motion(`[data-unit="${unit.id}"]`, slide(anchors.unit(unit.at), anchors.dislodged(unit.at), k), PUSH),
      motion(`[data-unit="${unit.id}"] .alarm`, [{ opacity: 0 }, { opacity: 1 }], PUSH),
    ]),
    ...after.lost.map((unit) => motion(`[data-lost="${unit.id}"]`, [{ opacity: 0 }, { opacity: 0.5 }], PUSH)),
  ];
}

function motion(of: string, frames: Keyframe[], timing: KeyframeAnimationOptions): Motion {
  return { of, frames, timing: { ...timing, fill: 'backwards' } };
}

const shift = (to: Point, from: Point, k: number): Keyframe => ({
  transform: `translate(${((from[0] - to[0]) / k).toFixed(1)}px, ${((from[1] - to[1]) / k).toFixed(1)}px)`,
});

const slide = (from: Point, to: Point, k: number): Keyframe[] => [shift(to, from, k), shift(to, to, k)];

function written({ id, line, shape, mark, from: [x, y] }: Drawing): Motion[] {
  // Both keyframes have the same functions, so that only the scale is interpolated.
  const grown = (scale: number): string => `translate(${x}px, ${y}px) scale(${scale}) translate(${-x}px, ${-y}px)`;
  return [
    ...(line ? [motion(`.line[data-order="${id}"]`, [{ opacity: 0 }, { opacity: 1 }], WRITE)] : []),
    ...(shape
      ? [
          motion(
            `.shape[data-order="${id}"]`,
            [
              { transform: grown(0.05), opacity: 0.4 },
              { transform: grown(1), opacity: 1 },
            ],
            GROW,
          ),
        ]
      : []),
    ...(mark ? [motion(`[data-mark="${id}"]`, [{ opacity: 0 }, { opacity: 1 }], CLASH)] : []),
  ];
}

/** Return the animation of a unit along its move, or to the point where it was stopped and back; a new unit appears. */
function glided({ order, way, reached }: Drawing, after: State, anchors: Anchors, k: number): Motion[] {
  if (!order.unit) return [];
  const went = done(order);
  const unit = after.units[provinceOf((went && order.to) || order.unit.at)];
  if (!unit || unit.power !== order.power) return [];
  const of = `[data-unit="${unit.id}"]`;
  if (order.kind === 'build') return [motion(of, [{ opacity: 0 }, { opacity: 1 }], GROW)];
  if (!way || (order.kind !== 'move' && order.kind !== 'retreat')) return [];
  const home = anchors.unit(unit.at);
  const far = went ? 1 : reached * 0.7;
  const out = Array.from({ length: STEPS + 1 }, (_, step) => pointAt(way, way.length * far * (step / STEPS)).point);
  const points = went ? out : [...out, ...out.toReversed().slice(1)];
  return [
    motion(
      of,
      points.map((point) => shift(home, point, k)),
      GLIDE,
    ),
  ];
}

/** Start `motions` on the elements of `map`; return a function that stops them. */
export function start(map: SVGElement, todo: readonly Motion[]): () => void {
  const running = todo.flatMap(({ of, frames, timing }) => map.querySelector(of)?.animate(frames, timing) ?? []);
  return () => running.forEach((animation) => animation.cancel());
}
