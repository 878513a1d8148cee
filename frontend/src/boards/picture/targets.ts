/** What may be chosen in a picture, and the way from one to the next by the arrow keys. */

import type { Layout } from './layout';
import { sides } from './layout';
import type { Picture, Place } from './picture.gen';
import { nameOf } from './words';

/** A place or thing that may be chosen: its words, and a place of its shape. */
export interface Target {
  readonly id: string;
  readonly words: string;
  readonly shape: Place;
}

/** Return the places and then the things that `words` has, in the picture's order: later ones lie over earlier ones. */
export function targetsOf(picture: Picture, { spots }: Layout, words: ReadonlyMap<string, string>): Target[] {
  const target = (shape: Place, name: string): Target => ({ id: shape.id, words: words.get(shape.id) || name, shape });
  const places = picture.places.filter(({ id }) => words.has(id)).map((place) => target(place, nameOf(place)));
  const taken = new Set(places.map(({ id }) => id));
  const things = spots
    .filter(({ thing: { id } }) => words.has(id) && !taken.has(id))
    .map(({ thing, x, y, width, height }) =>
      target({ id: thing.id, x, y, width, height, outline: thing.kind === 'piece' ? 'disc' : 'box' }, nameOf(thing)),
    );
  return [...places, ...things];
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Return the target to which `key` leads from `from`: the nearest one in that direction; null if there is none. */
export function nextTarget(all: readonly Target[], from: Target, key: string): Target | null {
  if (key === 'Home') return all[0] ?? null;
  if (key === 'End') return all.at(-1) ?? null;
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const [dx, dy] = direction;
  const far = ({ shape: { x, y } }: Target): number => {
    const [right, down] = [x - from.shape.x, y - from.shape.y];
    const along = right * dx + down * dy;
    return along > 0 ? along + 2 * Math.abs(right * dy + down * dx) : Infinity;
  };
  const [nearest] = all.filter((each) => far(each) < Infinity).sort((a, b) => far(a) - far(b));
  return nearest ?? null;
}

/** Return `shape` with sides of at least `least`. An outline of its own keeps its size. */
export function roomy(shape: Place, least: number): Place {
  const [width, height] = sides(shape);
  return { ...shape, width: Math.max(width, least), height: Math.max(height, least) };
}
