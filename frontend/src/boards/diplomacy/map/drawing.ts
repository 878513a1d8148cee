/** The map as SVG paths and anchor points, decoded from `map.gen.json`; docs/map.md describes that file. */

import type { Point } from '../story/curves';
import data from '../../../../../grandstand/games/diplomacy/data/map.gen.json';

/** The position of a unit, and its position while it is dislodged. */
export interface Spot {
  readonly unit: Point;
  readonly dislodged: Point;
}

/** A name on the map: its centre `at`, its `angle` in degrees, and its letter-spacing `spread` in units. */
export interface Label {
  readonly at: Point;
  readonly angle: number;
  readonly size: number;
  readonly spread: number;
  readonly lines: readonly string[];
}

export interface Province extends Spot {
  readonly code: string;
  readonly name: string;
  readonly kind: 'land' | 'coast' | 'sea';
  /** The whole area as an SVG path, straits included. */
  readonly path: string;
  readonly label: Label;
  /** The position of the supply centre's mark. */
  readonly center: Point | null;
  /** By `NC`, `SC` or `EC`: the positions of fleets in provinces with two coasts. */
  readonly coasts: Readonly<Record<string, Spot>>;
}

const vertices = data.arcs.map((steps): Point[] => {
  let [x, y] = [0, 0];
  const arc: Point[] = [];
  for (let n = 0; n < steps.length; n += 2) {
    x += steps[n] as number;
    y += steps[n + 1] as number;
    arc.push([x, y]);
  }
  return arc;
});

/** Return an SVG path, in relative steps, through points in tenths of a unit. */
function trace(points: readonly Point[]): string {
  let path = '';
  let [x, y] = [0, 0];
  points.forEach((point, n) => {
    path += `${'Ml'[n] ?? ' '}${(point[0] - x) / 10} ${(point[1] - y) / 10}`;
    [x, y] = point;
  });
  return path;
}

function ring(arcs: readonly number[]): string {
  const points = arcs.flatMap((arc, n) => {
    const along = arc < 0 ? (vertices[~arc] as Point[]).toReversed() : (vertices[arc] as Point[]);
    return n ? along.slice(1) : along;
  });
  return `${trace(points.slice(0, -1))}z`;
}

const area = (rings: readonly (readonly number[])[]): string => rings.map(ring).join('');
const line = (arcs: readonly number[]): string => arcs.map((arc) => trace(vertices[arc] as Point[])).join('');

/** Width and height of the view box. */
export const [WIDTH, HEIGHT] = data.viewBox as [number, number];

const point = ([x = 0, y = 0]: readonly number[]): Point => [x, y];

function spot({ unit, dislodged }: Record<keyof Spot, readonly number[]>): Spot {
  return { unit: point(unit), dislodged: point(dislodged) };
}

export const PROVINCES: ReadonlyMap<string, Province> = new Map(
  Object.entries(data.provinces).map(([code, { rings, name, kind, label, center, coasts, ...anchors }]) => {
    const fleets = Object.entries<Record<keyof Spot, readonly number[]>>(coasts).map(([id, at]) => [id, spot(at)]);
    return [
      code,
      {
        ...spot(anchors),
        code,
        name,
        kind: kind as Province['kind'],
        path: area(rings),
        label: { ...label, at: point(label.at) },
        center: center && point(center),
        coasts: Object.fromEntries(fleets) as Province['coasts'],
      },
    ];
  }),
);

/** Land that units cannot enter: Switzerland, and land outside the game. */
export const IMPASSABLE = area(data.impassable);
export const NEUTRAL = area(data.neutral);
/** Water inside Denmark, the Sound and Constantinople: drawn as sea above the land around it. */
export const STRAITS = area(data.straits);
/** All coasts, borders between land provinces, and borders between seas, each once. */
export const COAST = line(data.lines.coast);
export const LAND_BORDERS = line(data.lines.land);
export const SEA_BORDERS = line(data.lines.sea);
/** The mouths of the straits, and the border in the Sound, which armies cross between Denmark and Sweden. */
export const MOUTHS = line(data.lines.mouth);
export const CROSSINGS = line(data.lines.crossing);
const rings = new Map(Object.entries(data.provinces).map(([code, province]) => [code, province.rings.flat()]));
const stroked = new Set(Object.values(data.lines).flat());

/** Return the outline of a union of provinces without the edge of the map, such as the frontier of a power. */
export function outline(codes: Iterable<string>): string {
  const uses = new Map<number, number>();
  for (const code of codes) {
    for (const arc of rings.get(code) ?? []) {
      const number = arc < 0 ? ~arc : arc;
      uses.set(number, (uses.get(number) ?? 0) + 1);
    }
  }
  return line([...uses].filter(([arc, count]) => count === 1 && stroked.has(arc)).map(([arc]) => arc));
}

/** Meridians and parallels every ten degrees. */
export const GRATICULE = data.graticule
  .map((steps) => {
    let [x, y] = [0, 0];
    return trace(
      steps.flatMap((step, n): Point[] => {
        if (n % 2 === 0) x += step;
        else y += step;
        return n % 2 ? [[x, y]] : [];
      }),
    );
  })
  .join('');
