/** The animation between two moments: a thing whose id persists moves and turns over; the others come and go. */

import { APPEARS, type Motion } from '../../lib/motion';
import type { Layout, Spot } from './layout';

/** Milliseconds in which a thing moves at the usual rate. */
export const MOVES = 520;
const GLIDE = 'cubic-bezier(0.3, 0, 0.15, 1)';

/** Return what stood in `before` and is not in `after`. */
export function gone(before: Layout, after: Layout): Spot[] {
  const here = new Set(after.spots.map(({ thing }) => thing.id));
  return before.spots.filter(({ thing }) => !here.has(thing.id));
}

/** Return the animations of the change from `before` to `after`, each of the thing with this id. */
export function motions(before: Layout, after: Layout): Motion[] {
  const old = new Map(before.spots.map((spot) => [spot.thing.id, spot]));
  const leaving = gone(before, after).map(({ thing: { id } }): Motion => {
    return { of: id, frames: [{ opacity: 1 }, { opacity: 0 }], timing: { duration: MOVES } };
  });
  const here = after.spots.flatMap((spot): Motion[] => {
    const was = old.get(spot.thing.id);
    const frames = was ? changed(was, spot) : APPEARS;
    const timing = was ? { duration: MOVES, easing: GLIDE } : { duration: MOVES / 2, delay: MOVES / 3 };
    return frames.length ? [{ of: spot.thing.id, frames, timing: { ...timing, fill: 'backwards' } }] : [];
  });
  return [...leaving, ...here];
}

/** Return the frames of a thing that was at another spot or shows its other side; none if neither. */
function changed(was: Spot, is: Spot): Keyframe[] {
  if (is.way || was.way) return was.way?.path === is.way?.path ? [] : APPEARS;
  const turned = (was.thing.state === 'hidden') !== (is.thing.state === 'hidden');
  const moved = was.x !== is.x || was.y !== is.y || was.height !== is.height;
  const from = `translate(${was.x}px, ${was.y}px) scale(${is.height ? was.height / is.height : 1})`;
  const to = `translate(${is.x}px, ${is.y}px)`;
  if (turned) return [{ transform: `${from} scale(0.05, 1)` }, { transform: `${to} scale(1)` }];
  return moved ? [{ transform: from }, { transform: `${to} scale(1)` }] : [];
}

/** Return the look-up of the things in `drawing` by id. */
export function byId(drawing: Element): (id: string) => Element | undefined {
  const things = new Map([...drawing.querySelectorAll<SVGElement>('[data-thing]')].map((g) => [g.dataset['thing'], g]));
  return (id) => things.get(id);
}
