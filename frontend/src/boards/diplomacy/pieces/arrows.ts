/** The orders of a phase as drawings: filled and stroked outlines, and marks for the results. */

import {
  arrowShape,
  bow,
  distance,
  mix,
  part,
  pathThrough,
  pointAt,
  quadratic,
  through,
  type Curve,
  type Point,
} from '../story/curves';
import { carries, done, provinceOf, type Played, type PlayedOrder } from '../orders';

export type MarkKind = 'bounce' | 'fail' | 'cut' | 'build';

export interface Mark {
  readonly kind: MarkKind;
  readonly at: Point;
  /** The direction of the line at the mark, in degrees. */
  readonly angle: number;
}

export interface Drawing {
  /** The phase and the place of the ordered unit. */
  readonly id: string;
  readonly order: PlayedOrder;
  /** The filled outline, which is an arrow; '' for none. */
  readonly shape: string;
  /** The stroked path: a support, a convoy, a ring; '' for none. */
  readonly line: string;
  /** The point from which the drawing grows when it is animated. */
  readonly from: Point;
  readonly mark: Mark | null;
  /**
   * The path of a move from unit to unit, which the unit follows; `reached` is the share of it until the unit was
   * stopped.
   */
  readonly way: Curve | null;
  readonly reached: number;
}

/**
 * Positions on the map. `unit` accepts a place with or without a coast; `dislodged` is the position of a dislodged
 * unit.
 */
export interface Anchors {
  unit(place: string): Point;
  dislodged(place: string): Point;
}

const BEND = 0.055;

/** The last drawings of each phase by size, because scrubbing returns to the same phases. */
const cache = new WeakMap<Played, { anchors: Anchors; drawn: readonly Drawing[] }>();

/** Draw the orders of a phase. All sizes are relative to `r`, the radius of a unit. */
export function drawings(played: Played, anchors: Anchors, r: number): readonly Drawing[] {
  const kept = cache.get(played);
  if (kept?.anchors === anchors) return kept.drawn;
  const scene = new Scene(played, anchors, r);
  const drawn = played.orders.flatMap((order) => scene.draw(order) ?? []);
  cache.set(played, { anchors, drawn });
  return drawn;
}

class Scene {
  #standing = new Map<string, PlayedOrder>();
  #arrived = new Set<string>();
  #joined = new Map<string, number>();

  constructor(
    private readonly played: Played,
    private readonly anchors: Anchors,
    private readonly r: number,
  ) {
    for (const order of played.orders) {
      if (order.unit) this.#standing.set(provinceOf(order.unit.at), order);
      if (order.kind === 'move' && order.to && done(order)) this.#arrived.add(provinceOf(order.to));
    }
  }

  draw(order: PlayedOrder): Drawing | null {
    if (!order.unit) return null;
    switch (order.kind) {
      case 'move':
      case 'retreat':
        return this.#move(order);
      case 'support':
        return order.to ? this.#supportMove(order) : this.#supportHold(order);
      case 'convoy':
        return this.#convoy(order);
      case 'hold':
        return this.#plain(order, { line: ring(this.#spot(order.unit.at), this.r * 1.42) });
      case 'build':
        return done(order)
          ? this.#plain(order, { mark: { kind: 'build', at: this.#spot(order.unit.at), angle: 0 } })
          : null;
      case 'disband':
      case 'waive':
        return null;
    }
  }

  #plain(order: PlayedOrder, parts: Partial<Drawing>): Drawing | null {
    if (!order.unit) return null;
    const from = this.#spot(order.unit.at);
    const id = `${this.played.phase} ${order.unit.at}`;
    return { id, order, shape: '', line: '', from, mark: null, way: null, reached: 0, ...parts };
  }

  /**
   * Return the position of the unit at `place` when it was ordered; without a coast, it is on the coast of the unit
   * there.
   */
  #spot(place: string): Point {
    const there = this.#standing.get(place)?.unit?.at;
    return this.anchors.unit(there ?? place);
  }

  /** Return the whole path of a move, from the middle of one place to the middle of the other. */
  #way(order: PlayedOrder): Curve {
    const at = order.unit?.at ?? '';
    const from = order.kind === 'retreat' ? this.anchors.dislodged(at) : this.#spot(at);
    const to = this.anchors.unit(order.to ?? at);
    const fleets = this.#carriers(order);
    return fleets.length ? through([from, ...inOrder(from, fleets, to), to]) : bow(from, to, BEND);
  }

  /** Return the fleets that convoy a move, or were ordered to. */
  #carriers(order: PlayedOrder): Point[] {
    if (!order.bySea) return [];
    const stranded = order.results.includes('no convoy');
    const fleets: Point[] = [];
    for (const fleet of this.#standing.values()) {
      const idle = fleet.results.includes('no convoy') && !stranded;
      if (fleet.unit && carries(fleet, order) && !idle) fleets.push(this.#spot(fleet.unit.at));
    }
    return fleets;
  }

  /** Return the share of its path that a move covers. */
  #reach(order: PlayedOrder, way: Curve): number {
    if (done(order)) return way.length - Math.min(this.r * 1.12, way.length * 0.3);
    const there = this.#standing.get(provinceOf(order.to ?? ''));
    const headOn = there?.kind === 'move' && provinceOf(there.to ?? '') === provinceOf(order.unit?.at ?? '');
    if (headOn) return way.length * 0.46;
    if (!order.results.includes('bounce')) return way.length * 0.4;
    const stands = there !== undefined && !(there.kind === 'move' && done(there));
    return Math.max(way.length - this.r * (stands ? 2 : 1.3), way.length * 0.5);
  }

  #move(order: PlayedOrder): Drawing | null {
    const { r } = this;
    const retreat = order.kind === 'retreat';
    const way = this.#way(order);
    const left = done(order) && !retreat && !this.#arrived.has(provinceOf(order.unit?.at ?? ''));
    const start = left ? 0 : Math.min(r * 0.9, way.length * 0.25);
    const stop = this.#reach(order, way);
    const drawn = part(way, start, stop);
    const head = { head: r * 0.58, tip: Math.min(r * 0.92, drawn.length * 0.7) };
    const end = pointAt(way, Math.min(stop + r * 0.22, way.length));
    const mark: Mark | null = done(order)
      ? null
      : { kind: order.results.includes('bounce') ? 'bounce' : 'fail', at: end.point, angle: degrees(end.way) };
    return this.#plain(order, {
      // A retreat is a dashed line with a head; a move is a single arrow.
      shape: retreat
        ? arrowShape(part(drawn, drawn.length - head.tip, drawn.length), { ...head, tail: 0, neck: 0 })
        : arrowShape(drawn, { ...head, tail: r * 0.1, neck: r * 0.25 }),
      line: retreat ? pathThrough(part(drawn, 0, drawn.length - head.tip * 0.8).points) : '',
      from: pointAt(way, start).point,
      mark,
      way,
      reached: stop / way.length,
    });
  }

  #supportMove(order: PlayedOrder): Drawing | null {
    const helped = order.helps;
    if (!helped || !order.unit) return null;
    const move = this.#standing.get(provinceOf(helped.at));
    const matched = move?.kind === 'move' && provinceOf(move.to ?? '') === provinceOf(order.to ?? '') ? move : null;
    const way = matched ? this.#way(matched) : bow(this.#spot(helped.at), this.anchors.unit(order.to ?? ''), BEND);
    const reach = matched ? this.#reach(matched, way) : way.length;
    const joint = pointAt(way, reach * this.#joint(helped.at));
    const from = this.#spot(order.unit.at);
    const far = distance(from, joint.point);
    const behind: Point = [joint.point[0] - joint.way[0] * far * 0.5, joint.point[1] - joint.way[1] * far * 0.5];
    const curve = quadratic(from, mix(mix(from, joint.point, 0.5), behind, 0.6), joint.point);
    return this.#support(order, curve, 0);
  }

  /** Return the point of the move at which a support joins it; supports of one move join at different points. */
  #joint(helped: string): number {
    const count = this.#joined.get(helped) ?? 0;
    this.#joined.set(helped, count + 1);
    return [0.52, 0.4, 0.64, 0.46, 0.58][count % 5] ?? 0.52;
  }

  #supportHold(order: PlayedOrder): Drawing | null {
    if (!order.helps || !order.unit) return null;
    const curve = bow(this.#spot(order.unit.at), this.#spot(provinceOf(order.helps.at)), BEND);
    return this.#support(order, curve, this.r * 1.42);
  }

  /** Return a support along `curve`, ended by a cup around the supported unit, `short` before its middle. */
  #support(order: PlayedOrder, curve: Curve, short: number): Drawing | null {
    const start = Math.min(this.r * 1.05, curve.length * 0.3);
    const stop = Math.max(curve.length - short, curve.length * 0.55);
    const drawn = part(curve, start, stop);
    const middle = pointAt(drawn, drawn.length * 0.5);
    const end = pointAt(curve, curve.length).point;
    const cup = short ? cupAround(end, pointAt(curve, stop).point) : '';
    return this.#plain(order, {
      line: pathThrough(drawn.points) + cup,
      mark: done(order)
        ? null
        : { kind: order.results.includes('cut') ? 'cut' : 'fail', at: middle.point, angle: degrees(middle.way) },
    });
  }

  #convoy(order: PlayedOrder): Drawing | null {
    if (!order.helps || !order.unit) return null;
    const spot = this.#spot(order.unit.at);
    const army = this.#standing.get(provinceOf(order.helps.at));
    if (army && carries(order, army)) {
      const mark: Mark | null = done(order) ? null : { kind: 'fail', at: [spot[0], spot[1] - this.r * 1.5], angle: 0 };
      return this.#plain(order, { line: ring(spot, this.r * 1.42), mark });
    }
    const curve = bow(spot, this.#spot(order.helps.at), BEND);
    const drawn = part(
      curve,
      Math.min(this.r * 1.05, curve.length * 0.3),
      Math.max(curve.length - this.r * 1.2, curve.length * 0.6),
    );
    const middle = pointAt(drawn, drawn.length * 0.5);
    return this.#plain(order, {
      line: pathThrough(drawn.points),
      mark: { kind: 'fail', at: middle.point, angle: degrees(middle.way) },
    });
  }
}

function degrees(way: Point): number {
  return Math.round((Math.atan2(way[1], way[0]) * 180) / Math.PI);
}

const round = (value: number): number => Math.round(value * 10) / 10;

function ring([x, y]: Point, radius: number): string {
  const r = round(radius);
  return `M${round(x - radius)} ${round(y)}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
}

/** Return a quarter of the circle around `centre` through `edge`, with `edge` at its middle. */
function cupAround(centre: Point, edge: Point): string {
  const radius = distance(centre, edge);
  const angle = Math.atan2(edge[1] - centre[1], edge[0] - centre[0]);
  const at = (turn: number): string =>
    `${round(centre[0] + radius * Math.cos(angle + turn))} ${round(centre[1] + radius * Math.sin(angle + turn))}`;
  return `M${at(-Math.PI / 4)}A${round(radius)} ${round(radius)} 0 0 1 ${at(Math.PI / 4)}`;
}

/** Return `stops` in the order of the shortest path from `from` to `to`: exact for a few, greedy for many. */
export function inOrder(from: Point, stops: readonly Point[], to: Point): Point[] {
  if (stops.length > 5) {
    const [nearest, ...rest] = [...stops].sort((a, b) => distance(from, a) - distance(from, b)) as [Point, ...Point[]];
    return [nearest, ...inOrder(nearest, rest, to)];
  }
  let best: Point[] = [];
  let shortest = Infinity;
  for (const order of permutations(stops)) {
    const way = [from, ...order, to];
    const length = way.reduce((sum, point, index) => sum + (index ? distance(way[index - 1] as Point, point) : 0), 0);
    if (length < shortest) [best, shortest] = [order, length];
  }
  return best;
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
