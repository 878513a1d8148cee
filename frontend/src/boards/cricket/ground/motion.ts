/** The animation of a ball's flight. */

import type { Motion } from '../../../lib/motion';
import type { Point } from './camera';
import type { Flight } from './flight';

const SLOWING = 'cubic-bezier(0.2, 0.55, 0.45, 1)';
const SOARING = 'cubic-bezier(0.25, 0.4, 0.6, 1)';
const APPEARS = 140;
/** Milliseconds of the bowler's run-up, before the ball leaves the hand. */
export const RUN_UP = 800;

/** Return the milliseconds from the beginning of the run-up to the end of the flight. */
export function landsAfter({ time: [delivery, struck] }: Flight): number {
  return RUN_UP + delivery + struck;
}

/** Return all animations. `project` projects a point, `below` its shadow. */
export function motions(
  way: Flight,
  project: (spot: Flight['end']) => Point,
  below: (spot: Flight['end']) => Point,
): Motion[] {
  const [delivery, struck] = way.time;
  const high = Math.max(...way.struck.map(([, , height]) => height)) > 5;
  const first = { delay: RUN_UP, duration: delivery, easing: 'linear' };
  const second = { delay: RUN_UP + delivery, duration: struck, easing: high ? SOARING : SLOWING };
  const parts = [
    { name: '.delivery', spots: way.delivery, timing: first },
    { name: '.struck', spots: way.struck, timing: second },
  ].filter(({ spots }) => spots.length);
  const appear = (of: string, delay: number): Motion => ({
    of,
    frames: [{ opacity: 0 }, {}],
    timing: { delay, duration: APPEARS, fill: 'backwards' },
  });
  return [
    ...parts.flatMap(({ name, spots, timing }) => [
      { of: name, frames: drawing(spots.map(project)), timing: { ...timing, fill: 'backwards' as const } },
      { of: '.ball', frames: spots.map(project).map(move), timing: { ...timing, fill: fill(name) } },
      { of: '.shade', frames: spots.map(below).map(move), timing: { ...timing, fill: fill(name) } },
    ]),
    appear('.bounce', RUN_UP + delivery * 0.6),
    appear('.ground', RUN_UP + delivery + struck * 0.8),
    appear('.mark', RUN_UP + delivery + struck),
  ];
}

/** The ball is in the bowler's hand during the run-up. */
const fill = (part: string): FillMode => (part === '.delivery' ? 'backwards' : 'none');

const move = ([x, y]: Point): Keyframe => ({ transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)` });

/** Return the animation of a line of `pathLength` 1 that grows through `points` in proportion to their distances. */
function drawing(points: readonly Point[]): Keyframe[] {
  let length = 0;
  const lengths = points.map(([x, y], n) => {
    const [px, py] = points[n - 1] ?? [x, y];
    length += Math.hypot(x - px, y - py);
    return length;
  });
  return lengths.map((reached) => ({ strokeDashoffset: length ? 1 - reached / length : 0 }));
}

/** Return the animation of the bowler, who runs up from `distance` pixels behind the mark. */
export function runUp(distance: number): Motion {
  return {
    of: '[data-man=bowler]',
    frames: [{ translate: `0 ${(-distance).toFixed(1)}px` }, { translate: '0 0' }],
    timing: { duration: RUN_UP, easing: 'cubic-bezier(0.5, 0, 0.9, 0.8)' },
  };
}
