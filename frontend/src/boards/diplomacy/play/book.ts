/** The legal orders of a power in a phase, and those chosen so far. Pure. */

import type { Action } from '../../board';
import type { Legal } from '../events.gen';
import { readText } from '../story/notation';
import { provinceOf, type PlayedOrder, type UnitName } from '../orders';

/** A unit that can be ordered, or a place where one can be built. */
export interface Orderable {
  /** The province of the unit or place. */
  readonly at: string;
  /** The unit; null for a place to build in. */
  readonly unit: UnitName | null;
  readonly orders: readonly PlayedOrder[];
}

export type Stage = 'moves' | 'retreats' | 'builds' | 'removals';

export interface Book {
  readonly power: string;
  readonly phase: string;
  readonly stage: Stage;
  /** By province, in the rules' order. */
  readonly orderable: ReadonlyMap<string, Orderable>;
  /** Maximum number of orders; for removals, the required number. */
  readonly count: number;
}

/** Return whether units are built or removed: an order is then one click. */
export const winter = ({ stage }: Book): boolean => stage === 'builds' || stage === 'removals';

/** The orders chosen so far, by province. */
export type Chosen = ReadonlyMap<string, PlayedOrder>;

export function readBook(power: string, legal: Legal): Book {
  const orderable = Object.values(legal.orders).map((texts): Orderable => {
    const orders = texts.map((text) => readText(power, text));
    const unit = orders[0]?.unit ?? null;
    const site = orders[0]?.kind === 'build';
    return { at: provinceOf(unit?.at ?? ''), unit: site ? null : unit, orders };
  });
  const { phase, count = orderable.length } = legal;
  const stage = phase.endsWith('M') ? 'moves' : phase.endsWith('R') ? 'retreats' : count < 0 ? 'removals' : 'builds';
  return {
    power,
    phase,
    stage,
    orderable: new Map(orderable.map((place) => [place.at, place])),
    count: Math.abs(count),
  };
}

/** Return the book of a power that has nothing to decide now. */
export const idleBook = (power: string): Book => ({ power, phase: '', stage: 'moves', orderable: new Map(), count: 0 });

/** Return the legal orders of `draft`, by province. */
export function chosenOf(book: Book, draft: Action | null): Chosen {
  const texts: unknown = draft?.['orders'];
  const drafted = new Set(Array.isArray(texts) ? (texts as unknown[]) : []);
  return new Map(
    [...book.orderable.values()].flatMap(({ at, orders }) => {
      const order = orders.find(({ text }) => drafted.has(text));
      return order ? [[at, order]] : [];
    }),
  );
}

/** Return `chosen` as an action, in the rules' order. */
export function actionOf(book: Book, chosen: Chosen): Action {
  return { orders: [...book.orderable.keys()].flatMap((at) => chosen.get(at)?.text ?? []) };
}

export function withOrder(chosen: Chosen, order: PlayedOrder): Chosen {
  return new Map(chosen).set(provinceOf(order.unit?.at ?? ''), order);
}

export function without(chosen: Chosen, province: string): Chosen {
  const rest = new Map(chosen);
  rest.delete(province);
  return rest;
}

/** Return `chosen`, with a hold for every unit without an order. */
export function withHolds(book: Book, chosen: Chosen): Chosen {
  const holds = [...book.orderable.values()].flatMap(({ at, orders }) => {
    const hold = orders.find(({ kind }) => kind === 'hold');
    return hold && !chosen.has(at) ? [[at, hold] as const] : [];
  });
  return new Map([...chosen, ...holds]);
}

/** Return how many more orders can be given; for removals, how many must be. */
export function left(book: Book, chosen: Chosen): number {
  return book.count - chosen.size;
}

/**
 * Return how many orders must still be given before the orders can be submitted: removals cannot be left out, and
 * builds are waived by a step of their own.
 */
export const missing = (book: Book, chosen: Chosen): number => (winter(book) ? Math.max(0, left(book, chosen)) : 0);

/** A chosen move by sea that no chosen convoy carries, and the own fleets' orders that would help it. */
export interface Stranded {
  readonly move: PlayedOrder;
  readonly convoys: readonly PlayedOrder[];
}

/** Return the chosen moves by sea for which no own fleet is ordered to convoy. */
export function stranded(book: Book, chosen: Chosen): readonly Stranded[] {
  return [...chosen.values()].flatMap((move) => {
    if (move.kind !== 'move' || !move.bySea) return [];
    const carries = ({ kind, helps, to }: PlayedOrder): boolean =>
      kind === 'convoy' && helps?.at === move.unit?.at && provinceOf(to ?? '') === provinceOf(move.to ?? '');
    if ([...chosen.values()].some(carries)) return [];
    const convoys = [...book.orderable.values()].flatMap(({ orders }) => orders.find(carries) ?? []);
    return [{ move, convoys }];
  });
}

/** A refused action: the order at fault, if there is one, and the reason. */
export interface Refusal {
  readonly order: string | null;
  readonly reason: string;
}

/** Return the refusal of `action` for its `field`, such as `orders[2]`; `message` may begin with the field. */
export function refusalOf(action: Action, field: string | null, message: string): Refusal {
  const place = /^orders\[(\d+)\]$/.exec(field ?? '')?.[1];
  const texts: unknown = action['orders'];
  const text: unknown = place && Array.isArray(texts) ? texts[Number(place)] : null;
  if (typeof text !== 'string') return { order: null, reason: message };
  return { order: text, reason: message.startsWith(`${field}: `) ? message.slice(`${field}: `.length) : message };
}
