/** The animation of a phase: arrows grow, units follow them, and dislodged units move aside. */

import { APPEARS, WHOLE, type Motion } from '../../../lib/motion';
import type { Anchors, Drawing } from './arrows';
import { LEANING, schedule, type Scene } from './conflicts';
import { pointAt, type Point } from '../story/curves';
import { stabsOf } from '../lies/intents';
import { CAPITALS, shownLies } from '../lies/lies';
import { HEIGHT, PROVINCES, WIDTH } from '../map/drawing';
import { done, provinceOf, type Played, type PlayedOrder } from '../orders';
import type { State } from '../state';

// Milliseconds: an order appears, a unit moves, a mark and a dislodged unit follow it.
const WRITE = { duration: 320, easing: 'ease-out' };
const GROW = { duration: 560, easing: 'cubic-bezier(0.2, 0.7, 0.2, 1)' };
const GLIDE = { duration: 780, easing: 'cubic-bezier(0.45, 0, 0.2, 1)' };
const CLASH = { delay: 480, duration: 200, easing: 'ease-out' };
const JUMP = { duration: 420, easing: 'cubic-bezier(0.45, 0, 0.2, 1)' };
const PUSH = { delay: 600, duration: 320, easing: 'cubic-bezier(0.2, 0.8, 0.3, 1)' };
const LEAN = { scale: 1.9, in: 0.28, out: 0.8 };
/** What is kept free around the two ends of a lie or a stab, as a share of the map. */
const EDGE = 0.04;
const STEPS = 10;

/** Return all animations of the change from the orders of `played` to `after`; `r` is the radius of a unit, in units of the
 *  map. */
export function motions(
  drawings: readonly Drawing[],
  played: Played,
  after: State,
  anchors: Anchors,
  r: number,
): Motion[] {
  const k = r / 12;
  const plan = schedule(played);
  const fights = new Map(plan.scenes.flatMap((scene) => scene.orders.map((order) => [order, scene.at] as const)));
  const at = (order: PlayedOrder): number => fights.get(order) ?? plan.moves;
  const lost = (place: string): number => plan.scenes.find(({ province }) => province === place)?.at ?? plan.moves;
  const written = writing(drawings, plan.moves);
  return [
    ...drawings.flatMap((drawing) => [
      ...write(drawing, written(drawing), at(drawing.order)),
      ...glided(drawing, after, anchors, k, at(drawing.order)),
    ]),
    ...Object.values(after.dislodged).flatMap((unit) => {
      const pushed = later(PUSH, lost(provinceOf(unit.at)));
      return [
        motion(`[data-unit="${unit.id}"]`, slide(anchors.unit(unit.at), anchors.dislodged(unit.at), k), pushed),
        motion(`[data-unit="${unit.id}"] .alarm`, APPEARS, pushed),
      ];
    }),
    ...after.lost.map((unit) =>
      motion(`[data-lost="${unit.id}"]`, [{ opacity: 0 }, { opacity: 0.5 }], later(PUSH, lost(provinceOf(unit.at)))),
    ),
    ...plan.scenes.filter(({ lean }) => lean).map(leaning),
  ];
}

/** Return the animations of the units that stand elsewhere after a jump from one moment to another. */
export function jumps(before: State, after: State, anchors: Anchors, r: number): Motion[] {
  const earlier = places(before, anchors);
  return [...places(after, anchors)].flatMap(([id, to]) => {
    const from = earlier.get(id);
    const stays = !from || (from[0] === to[0] && from[1] === to[1]);
    return stays ? [] : [motion(`[data-unit="${id}"]`, slide(from, to, r / 12), JUMP)];
  });
}

/** Return where each unit is drawn, by its id. */
const places = ({ units, dislodged }: State, anchors: Anchors): ReadonlyMap<string, Point> =>
  new Map([
    ...Object.values(units).map(({ id, at }) => [id, anchors.unit(at)] as const),
    ...Object.values(dislodged).map(({ id, at }) => [id, anchors.dislodged(at)] as const),
  ]);

const later = (timing: KeyframeAnimationOptions, by: number): KeyframeAnimationOptions => ({
  ...timing,
  delay: Number(timing.delay ?? 0) + by,
});

/** Return when an order is written: power after power, within the time of the orders. */
function writing(drawings: readonly Drawing[], time: number): (drawing: Drawing) => number {
  const powers = [...new Set(drawings.map(({ order }) => order.power))];
  const gap = Math.max(0, time - GROW.duration) / Math.max(1, powers.length);
  return ({ order }) => powers.indexOf(order.power) * gap;
}

/** Return the animation with which the map leans in on a conflict, and back. */
function leaning({ province, at, lasts }: Scene): Motion {
  return leanTo(placeOf(province), LEAN.scale, { delay: at, duration: lasts });
}

/** Return the animation with which the map leans once to both ends of a lie, or else of a stab in preparation, that is new. */
export function leansToThreat(before: State, after: State): Motion[] {
  const known = new Set(threats(before).map(({ name }) => name));
  const threat = threats(after).findLast(({ name }) => !known.has(name));
  const [from, to] = [threat?.power, threat?.other].map((power) => CAPITALS[power ?? '']);
  if (!from || !to) return [];
  const [a, b] = [placeOf(from), placeOf(to)];
  const middle: Point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  // The middle stays where it is, so that both stay in the frame up to this scale.
  const room = ([WIDTH, HEIGHT] as const).map((size, axis) => {
    const [at, apart] = [middle[axis] ?? 0, Math.abs((a[axis] ?? 0) - (b[axis] ?? 0)) / 2];
    return Math.min(at, size - at) / (apart + EDGE * size);
  });
  const scale = Math.max(1, Math.min(LEAN.scale, ...room));
  return [leanTo(middle, scale, { duration: LEANING })];
}

const placeOf = (province: string): Point => PROVINCES.get(province)?.unit ?? [WIDTH / 2, HEIGHT / 2];

interface Threat {
  readonly name: string;
  readonly power: string;
  readonly other: string | undefined;
}

/** Return the lies that are believed, after the stabs that are prepared; of these none once orders are in. */
function threats(state: State): Threat[] {
  const { known, phase, ready } = state;
  const stabs = ready.length ? [] : stabsOf(state);
  return [
    ...stabs.reverse().map(({ power, other }) => ({ name: [phase, power, other].join(), power, other })),
    ...shownLies(known, phase, '')
      .filter(({ fate }) => fate === 'open')
      .map(({ power, promise, recipients }) => ({
        name: [phase, power, promise, ...recipients].join(),
        power,
        other: recipients[0],
      })),
  ];
}

function leanTo([x, y]: Point, toScale: number, timing: KeyframeAnimationOptions): Motion {
  const origin = `${((100 * x) / WIDTH).toFixed(1)}% ${((100 * y) / HEIGHT).toFixed(1)}%`;
  const frame = (scale: number, offset: number): Keyframe => ({
    transform: `scale(${scale})`,
    transformOrigin: origin,
    offset,
    easing: 'cubic-bezier(0.4, 0, 0.2, 1)',
  });
  return {
    of: WHOLE,
    frames: [frame(1, 0), frame(toScale, LEAN.in), frame(toScale, LEAN.out), frame(1, 1)],
    timing,
  };
}

function motion(of: string, frames: Keyframe[], timing: KeyframeAnimationOptions): Motion {
  return { of, frames, timing: { ...timing, fill: 'backwards' } };
}

const shift = (to: Point, from: Point, k: number): Keyframe => ({
  transform: `translate(${((from[0] - to[0]) / k).toFixed(1)}px, ${((from[1] - to[1]) / k).toFixed(1)}px)`,
});

const slide = (from: Point, to: Point, k: number): Keyframe[] => [shift(to, from, k), shift(to, to, k)];

function write({ id, line, shape, mark, from: [x, y] }: Drawing, delay: number, clash: number): Motion[] {
  // Both keyframes have the same functions, so that only the scale is interpolated.
  const grown = (scale: number): string => `translate(${x}px, ${y}px) scale(${scale}) translate(${-x}px, ${-y}px)`;
  return [
    ...(line ? [motion(`.line[data-order="${id}"]`, APPEARS, { ...WRITE, delay })] : []),
    ...(shape
      ? [
          motion(
            `.shape[data-order="${id}"]`,
            [
              { transform: grown(0.05), opacity: 0.4 },
              { transform: grown(1), opacity: 1 },
            ],
            { ...GROW, delay },
          ),
        ]
      : []),
    ...(mark ? [motion(`[data-mark="${id}"]`, APPEARS, later(CLASH, clash))] : []),
  ];
}

/** Return the animation of a unit along its move, or to the point where it was stopped and back; a new unit appears. */
function glided({ order, way, reached }: Drawing, after: State, anchors: Anchors, k: number, delay: number): Motion[] {
  if (!order.unit) return [];
  const went = done(order);
  const unit = after.units[provinceOf((went && order.to) || order.unit.at)];
  if (!unit || unit.power !== order.power) return [];
  const of = `[data-unit="${unit.id}"]`;
  if (order.kind === 'build') return [motion(of, APPEARS, { ...GROW, delay })];
  if (!way || (order.kind !== 'move' && order.kind !== 'retreat')) return [];
  const home = anchors.unit(unit.at);
  const far = went ? 1 : reached * 0.7;
  const out = Array.from({ length: STEPS + 1 }, (_, step) => pointAt(way, way.length * far * (step / STEPS)).point);
  const points = went ? out : [...out, ...out.toReversed().slice(1)];
  return [
    motion(
      of,
      points.map((point) => shift(home, point, k)),
      { ...GLIDE, delay },
    ),
  ];
}
