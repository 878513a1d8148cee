/** Where the things of a picture stand, in the picture's units. */

import type { Picture, Place, Thing } from './picture.gen';

export type Point = readonly [x: number, y: number];

/** A thing with its middle and its extent. Those of an arrow or a line are around the middle of it. */
export interface Spot {
  readonly thing: Thing;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The unit of what is drawn: a place's shorter side. */
  readonly unit: number;
  /** The way of an arrow or a line. */
  readonly way?: Way;
}

/** The way of an arrow: its path, the head's corners, its middle, and its direction there in degrees. */
export interface Way {
  readonly path: string;
  readonly head: string;
  readonly middle: Point;
}

export interface Layout {
  readonly spots: readonly Spot[];
  /** The ids of the places that things stand at. */
  readonly taken: ReadonlySet<string>;
}

const CARD_SHAPE = 0.7;
const STACKED = 8;

/** Return the sides of a place. */
export const sides = ({ width = 10, height = 10 }: Place): Point => [width, height];

/** Return the units of a picture, and the usual size of a place in it. */
export function frame({ width = 100, height = 100 }: Picture): { width: number; height: number; usual: number } {
  return { width, height, usual: Math.min(width, height) / 10 };
}

/** Return where each thing stands. What is at an unknown place is left out. */
export function layout(picture: Picture): Layout {
  const places = new Map(picture.places.map((place) => [place.id, place]));
  const { usual } = frame(picture);
  const standing = new Map<string, Thing[]>();
  for (const thing of picture.things) {
    if (typeof thing.at !== 'string' || linear(thing)) continue;
    const others = standing.get(thing.at);
    if (others) others.push(thing);
    else standing.set(thing.at, [thing]);
  }
  const spots = picture.things.flatMap((thing): Spot[] => {
    if (linear(thing)) return spanOf(thing, places, standing, usual);
    if (typeof thing.at !== 'string') {
      const [width, height] = extent(thing, usual, usual * (thing.kind === 'card' ? 1.4 : 1));
      return [{ thing, x: thing.at[0], y: thing.at[1], width, height, unit: usual }];
    }
    const place = places.get(thing.at);
    return place ? [spotAt(thing, place, standing.get(thing.at) ?? [])] : [];
  });
  return { spots, taken: new Set(standing.keys()) };
}

const linear = ({ kind }: Thing): boolean => kind === 'arrow' || kind === 'line';

/** Return the width and the height of a thing in a room of these sides. */
function extent({ kind, size = 1 }: Thing, width: number, height: number): Point {
  const unit = Math.min(width, height);
  switch (kind) {
    case 'card': {
      const high = Math.min(height, width / CARD_SHAPE) * 0.92 * size;
      return [high * CARD_SHAPE, high];
    }
    case 'token':
      return [unit * 0.44 * size, unit * 0.44 * size];
    case 'bar':
      return [width * 0.84 * size, unit * 0.14];
    case 'text':
      return [width * 0.92, unit * 0.44 * size];
    default:
      return [unit * 0.72 * size, unit * 0.72 * size];
  }
}

function spotAt(thing: Thing, place: Place, all: readonly Thing[]): Spot {
  const [wide, high] = sides(place);
  const unit = Math.min(wide, high);
  const row = place.holds === 'row';
  const [width, height] = extent(thing, row ? high * (thing.kind === 'card' ? CARD_SHAPE : 1) : wide, high);
  const spot = { thing, x: place.x, y: place.y, width, height, unit };
  const others = all.filter(({ kind }) => kind !== 'bar');
  if (thing.kind === 'bar') return { ...spot, y: others.length ? place.y + high * 0.4 : place.y };
  const index = others.indexOf(thing);
  if (row) return { ...spot, x: place.x + along(index, others.length, width, wide) };
  if (place.holds === 'stack') return { ...spot, y: place.y - Math.min(index, STACKED) * height * 0.09 };
  return spot;
}

/** Return how far from the middle the one at `index` of a row of `count` stands: side by side, or overlapping. */
function along(index: number, count: number, width: number, room: number): number {
  const step = Math.min(width * 1.1, (room - width) / Math.max(1, count - 1));
  return (index - (count - 1) / 2) * Math.max(0, step);
}

/** Return the spot of an arrow or a line, which ends before the things at its ends. */
function spanOf(
  thing: Thing,
  places: ReadonlyMap<string, Place>,
  standing: ReadonlyMap<string, readonly Thing[]>,
  usual: number,
): Spot[] {
  const [from, to] = [end(thing.at, places, standing), end(thing.to ?? '', places, standing)];
  if (!from || !to) return [];
  const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const way = wayOf(thing, from, to, usual * 0.42 * (thing.size ?? 1));
  const [width, height] = [Math.abs(from.x - to.x) || usual, Math.abs(from.y - to.y) || usual];
  return way ? [{ thing, x, y, width, height, unit: usual, way }] : [];
}

/** An end of an arrow, and the radius of what it must not touch. */
interface End {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function end(
  at: Thing['at'],
  places: ReadonlyMap<string, Place>,
  standing: ReadonlyMap<string, readonly Thing[]>,
): End | null {
  if (typeof at !== 'string') return { x: at[0], y: at[1], radius: 0 };
  const place = places.get(at);
  if (!place) return null;
  const unit = Math.min(...sides(place));
  return { x: place.x, y: place.y, radius: unit * (standing.has(at) ? 0.42 : 0.1) };
}

/** Return the way between two ends, or null if they touch. Arrows bend to the left, so that two that meet are apart. */
function wayOf(thing: Thing, from: End, to: End, head: number): Way | null {
  const line = thing.kind === 'line';
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const near = ({ radius }: End): number => (line ? 0 : Math.min(radius, length * 0.3));
  const [start, stop] = [near(from), length - near(to)];
  if (stop - start < 0.01) return null;
  const [ux, uy] = [dx / length, dy / length];
  const bend = line ? 0 : length * 0.06;
  const at = (along: number, aside: number): Point => [
    from.x + ux * along + uy * aside,
    from.y + uy * along - ux * aside,
  ];
  const middle = at((start + stop) / 2, bend);
  const tip = at(stop, bend * 0.25);
  const [ax, ay] = unitOf(middle, tip);
  const size = Math.min(head, (stop - start) * 0.6);
  const neck: Point = [tip[0] - ax * size, tip[1] - ay * size];
  const half = size * 0.46;
  const corners = [tip, [neck[0] + ay * half, neck[1] - ax * half], [neck[0] - ay * half, neck[1] + ax * half]];
  const foot = at(start, bend * 0.25);
  const last = line ? tip : ([tip[0] - ax * size * 0.8, tip[1] - ay * size * 0.8] as const);
  const control = [2 * middle[0] - (foot[0] + tip[0]) / 2, 2 * middle[1] - (foot[1] + tip[1]) / 2] as const;
  return {
    path: line ? `M${show(foot)}L${show(last)}` : `M${show(foot)}Q${show(control)} ${show(last)}`,
    head: line ? '' : corners.map((corner) => show(corner)).join(' '),
    middle,
  };
}

function unitOf([ax, ay]: Point, [bx, by]: Point): Point {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  return [(bx - ax) / length, (by - ay) / length];
}

const round = (value: number): number => Math.round(value * 100) / 100;
const show = (point: readonly number[]): string => point.map(round).join(' ');
