/** Plane curves as sequences of points with distances, and shapes along them, in units of the map's view box. */

export type Point = readonly [x: number, y: number];

/** A curve: its points, and the distance of each along the curve. */
export interface Curve {
  readonly points: readonly Point[];
  readonly along: readonly number[];
  readonly length: number;
}

const STEPS = 16;

export function distance(a: Point, b: Point): number {
  return Math.hypot(b[0] - a[0], b[1] - a[1]);
}

export function mix(a: Point, b: Point, share: number): Point {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

function measured(points: readonly Point[]): Curve {
  const along: number[] = [];
  let length = 0;
  points.forEach((point, index) => {
    length += index ? distance(points[index - 1] as Point, point) : 0;
    along.push(length);
  });
  return { points, along, length };
}

/** Return a curve from `a` to `b`, bent to the left by `bend` of its length, so that opposite moves do not overlap. */
export function bow(a: Point, b: Point, bend: number): Curve {
  const control: Point = [(a[0] + b[0]) / 2 + (b[1] - a[1]) * bend * 2, (a[1] + b[1]) / 2 - (b[0] - a[0]) * bend * 2];
  return quadratic(a, control, b);
}

export function quadratic(a: Point, control: Point, b: Point): Curve {
  const points = Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS;
    return mix(mix(a, control, share), mix(control, b, share), share);
  });
  return measured(points);
}

/** Return a smooth curve through all of `stops` (Catmull-Rom). */
export function through(stops: readonly Point[]): Curve {
  const points: Point[] = [];
  const stop = (index: number): Point => stops[Math.max(0, Math.min(stops.length - 1, index))] as Point;
  for (let leg = 0; leg + 1 < stops.length; leg++) {
    const [before, a, b, after] = [stop(leg - 1), stop(leg), stop(leg + 1), stop(leg + 2)];
    for (let step = leg ? 1 : 0; step <= STEPS; step++) {
      const t = step / STEPS;
      const blend = (p: number, q: number, r: number, s: number): number =>
        q + (t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)))) / 2;
      points.push([blend(before[0], a[0], b[0], after[0]), blend(before[1], a[1], b[1], after[1])]);
    }
  }
  return measured(points);
}

/** Return the point at distance `far` along `curve`, and the unit vector of its direction. */
export function pointAt(curve: Curve, far: number): { point: Point; way: Point } {
  const { points, along } = curve;
  let next = along.findIndex((here) => here >= far);
  if (next < 0) next = points.length - 1;
  next = Math.max(1, next);
  const [a, b] = [points[next - 1] as Point, points[next] as Point];
  const [start, stop] = [along[next - 1] as number, along[next] as number];
  const leg = stop - start || 1;
  const share = Math.max(0, Math.min(1, (far - start) / leg));
  return { point: mix(a, b, share), way: [(b[0] - a[0]) / leg, (b[1] - a[1]) / leg] };
}

/** Return the part of `curve` between two distances. */
export function part(curve: Curve, start: number, stop: number): Curve {
  const inner = curve.points.filter((_, index) => {
    const here = curve.along[index] as number;
    return here > start + 0.01 && here < stop - 0.01;
  });
  return measured([pointAt(curve, start).point, ...inner, pointAt(curve, stop).point]);
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

export function pathThrough(points: readonly Point[], closed = false): string {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}${closed ? 'Z' : ''}`;
}

/** Return the point `aside` to the left of `curve`, at distance `far`. */
function beside(curve: Curve, far: number, aside: number): Point {
  const { point, way } = pointAt(curve, far);
  return [point[0] + way[1] * aside, point[1] - way[0] * aside];
}

export interface ArrowSize {
  /** Half the width of the shaft at its tail and at its neck. */
  readonly tail: number;
  readonly neck: number;
  /** Half the width of the head, and its length. */
  readonly head: number;
  readonly tip: number;
}

/** Return the outline of an arrow along `curve` that widens from tail to neck, with a barbed head. */
export function arrowShape(curve: Curve, size: ArrowSize): string {
  const tip = Math.min(size.tip, curve.length * 0.7);
  const shrink = size.tip ? tip / size.tip : 1;
  const neckAt = curve.length - tip * 0.82;
  const shaft = part(curve, 0, Math.max(neckAt, 0.1));
  const width = (far: number): number => (size.tail + (size.neck - size.tail) * (far / shaft.length)) * shrink;
  const side = (sign: number): Point[] => shaft.along.map((far) => beside(shaft, far, sign * width(far)));
  const barb = (sign: number): Point => beside(curve, curve.length - tip, sign * size.head * shrink);
  const end = pointAt(curve, curve.length).point;
  return pathThrough([...side(1), barb(1), end, barb(-1), ...side(-1).reverse()], true);
}
