/** The conflicts of a phase, and the times at which its parts are shown. Pure. */

import type { Unfolding } from '../../game';
import { PROVINCES } from '../map/drawing';
import { destroyed, done, provinceOf, type Played, type PlayedOrder } from '../orders';
import type { State } from '../state';

/** A province that units fought for. */
export interface Conflict {
  readonly province: string;
  readonly weight: number;
  readonly orders: readonly PlayedOrder[];
}

/** A conflict with the time at which it is shown, in milliseconds; `lean` if the map leans in on it. */
export interface Scene extends Conflict {
  readonly at: number;
  readonly lasts: number;
  readonly lean: boolean;
}

export interface Schedule {
  /** The time at which the moves without a conflict begin. */
  readonly moves: number;
  readonly scenes: readonly Scene[];
  readonly lasts: number;
}

const ORDERS = 1600;
const MOVES = 1000;
const BRIEF = 1000;
export const LEANING = 2200;
/** Conflicts that are shown one by one; the lightest of more are shown with the moves. */
const SHOWN = 5;
/** Conflicts on which the map leans in. */
const LEANS = 2;
const HEAVY = 3;
const FEW = 950;

/** Return the conflicts of a phase, the heaviest first: a dislodgement is heavier than a bounce, a centre than others. */
export function conflicts({ orders }: Played): Conflict[] {
  const places = new Map<string, { weight: number; orders: PlayedOrder[] }>();
  const add = (place: string, order: PlayedOrder, weight: number): void => {
    const province = provinceOf(place);
    const known = places.get(province) ?? { weight: 0, orders: [] };
    places.set(province, { weight: Math.max(known.weight, weight), orders: [...known.orders, order] });
  };
  for (const order of orders) {
    if (order.unit && order.results.includes('dislodged')) add(order.unit.at, order, destroyed(order) ? 4 : 3);
    if (order.kind === 'move' && order.to && order.results.includes('bounce')) add(order.to, order, 1);
  }
  for (const order of orders) {
    const province = provinceOf(order.to ?? '');
    const place = places.get(province);
    if (!place || place.orders.includes(order)) continue;
    if (order.kind === 'move' && done(order)) place.orders.push(order);
    if (order.kind === 'support') place.weight += 0.5;
  }
  return [...places]
    .map(([province, { weight, orders: fighting }]) => ({
      province,
      weight: weight + (PROVINCES.get(province)?.center ? 1 : 0),
      orders: fighting,
    }))
    .sort((a, b) => b.weight - a.weight || a.province.localeCompare(b.province));
}

/** Return the schedule of a phase: the orders, the moves, and the conflicts one after another, the heaviest last. */
export function schedule(played: Played): Schedule {
  if (!played.phase.endsWith('M')) return { moves: 0, scenes: [], lasts: FEW };
  const heaviest = conflicts(played).slice(0, SHOWN);
  let at = ORDERS + MOVES;
  const scenes = heaviest
    .map((conflict, rank) => ({ ...conflict, lean: rank < LEANS && conflict.weight >= HEAVY }))
    .toReversed()
    .map((conflict): Scene => {
      const scene = { ...conflict, at, lasts: conflict.lean ? LEANING : BRIEF };
      at += scene.lasts;
      return scene;
    });
  return { moves: ORDERS, scenes, lasts: at + 300 };
}

/** Return the time that the board takes to show the orders that are new in `after`. */
export function unfold(before: State, after: State): Unfolding {
  const played = after.season.at(-1);
  if (!played || played === before.season.at(-1)) return { picture: 0, score: 0 };
  return { picture: schedule(played).lasts, score: 0 };
}
