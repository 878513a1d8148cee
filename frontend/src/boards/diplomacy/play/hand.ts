/** The selection of orders by clicks: the order in progress, and the meaning of the next click. Pure. */

import { provinceOf, type PlayedOrder } from '../orders';
import { left, winter, without, withOrder, type Book, type Chosen, type Orderable } from './book';

export type Verb = 'hold' | 'move' | 'support' | 'convoy' | 'disband';

/** The unit to be supported or convoyed. */
export interface Help {
  readonly kind: 'support' | 'convoy';
  /** The province of the unit. */
  readonly at: string;
}

/** One meaning of a click: an order, or a unit to help whose destination is still to be chosen. */
export type Option = { readonly order: PlayedOrder } | { readonly help: Help };

/** The order in progress. Null and empty fields are not chosen yet. */
export interface Hand {
  /** The province of the unit, or of the build. */
  readonly unit: string | null;
  /** The only kind of order that the next click can mean, or null. */
  readonly verb: Verb | null;
  readonly help: Help | null;
  /** The place that was clicked and its possible meanings, if there are several. */
  readonly open: { readonly at: string; readonly options: readonly Option[] } | null;
}

export const EMPTY_HAND: Hand = { unit: null, verb: null, help: null, open: null };

/** The order in progress and the orders chosen so far. */
export interface Plan {
  readonly hand: Hand;
  readonly chosen: Chosen;
}

const KIND: Record<Verb, (order: PlayedOrder) => boolean> = {
  hold: ({ kind }) => kind === 'hold',
  move: ({ kind }) => kind === 'move',
  support: ({ kind }) => kind === 'support',
  convoy: ({ kind }) => kind === 'convoy',
  disband: ({ kind }) => kind === 'disband',
};

/** Return the verbs of this stage. */
export function stageVerbs({ stage }: Book): readonly Verb[] {
  if (stage === 'moves') return ['hold', 'move', 'support', 'convoy'];
  return stage === 'retreats' ? ['disband'] : [];
}

/** Return the verbs that are possible for the selected unit. */
export function verbs(book: Book, hand: Hand): Verb[] {
  const orders = inHand(book, hand)?.orders ?? [];
  return stageVerbs(book).filter((verb) => orders.some(KIND[verb]));
}

/** Restrict clicks to `verb`, or remove the restriction; a verb that needs no click chooses its order at once. */
export function say(book: Book, { hand, chosen }: Plan, verb: Verb): Plan {
  const order = inHand(book, hand)?.orders.find(KIND[verb]);
  if (!order) return { hand, chosen };
  if (verb === 'hold' || verb === 'disband') return { hand: EMPTY_HAND, chosen: withOrder(chosen, order) };
  return { hand: { ...EMPTY_HAND, unit: hand.unit, verb: hand.verb === verb ? null : verb }, chosen };
}

/** Return the possible meanings of a click on `province`. */
export function options(book: Book, { hand, chosen }: Plan, province: string): Option[] {
  const unit = inHand(book, hand);
  if (!unit) return atSite(book, chosen, province);
  const { help } = hand;
  const orders = unit.orders.filter(hand.verb ? KIND[hand.verb] : () => true);
  if (help) {
    const helping = orders.filter(({ kind, helps }) => kind === help.kind && provinceOf(helps?.at ?? '') === help.at);
    return helping.filter((order) => provinceOf(order.to ?? help.at) === province).map((order) => ({ order }));
  }
  const goes = orders.filter(({ to, helps }) => !helps && to && provinceOf(to) === province);
  const helped = (['support', 'convoy'] as const).filter((kind) =>
    orders.some((order) => order.kind === kind && provinceOf(order.helps?.at ?? '') === province),
  );
  return [...goes.map((order) => ({ order })), ...helped.map((kind) => ({ help: { kind, at: province } }))];
}

/** Handle a click in winter: it is an order at once, as long as another one may be given. */
function atSite(book: Book, chosen: Chosen, province: string): Option[] {
  const orders = book.orderable.get(province)?.orders ?? [];
  return winter(book) && left(book, chosen) > 0 ? orders.map((order) => ({ order })) : [];
}

/** Handle a click on `province`, or on none. */
export function pick(book: Book, plan: Plan, province: string | null): Plan {
  const { hand, chosen } = plan;
  if (province === null) return back(plan);
  if (winter(book) && chosen.has(province)) return { hand: EMPTY_HAND, chosen: without(chosen, province) };
  const settled = settle(book, plan, province, options(book, plan, province));
  if (settled) return settled;
  // The place is no target for the selected unit: select another unit, or clear the selection.
  const other = book.orderable.get(province);
  const takes = other && !winter(book) && province !== hand.unit;
  return { hand: takes ? { ...EMPTY_HAND, unit: province } : EMPTY_HAND, chosen };
}

/** Choose the only meaning of a click on `province`, or ask which one; null if there is none. */
function settle(book: Book, plan: Plan, province: string, meanings: readonly Option[]): Plan | null {
  const [only] = meanings;
  if (!only) return null;
  if (meanings.length === 1) return take(book, plan, only);
  return { hand: { ...plan.hand, open: { at: province, options: meanings } }, chosen: plan.chosen };
}

/** Choose one of the meanings of a click. */
export function take(book: Book, { hand, chosen }: Plan, option: Option): Plan {
  if ('order' in option) return { hand: EMPTY_HAND, chosen: withOrder(chosen, option.order) };
  const { help } = option;
  const helping: Hand = { ...hand, help, open: null };
  const meanings = places(book, { hand: helping, chosen }).map((place) =>
    options(book, { hand: helping, chosen }, place),
  );
  // A support means a support to hold until a destination is chosen.
  const stays = meanings.flat().find((meaning) => 'order' in meaning && meaning.order.to === null);
  const settled = stays && 'order' in stays ? withOrder(chosen, stays.order) : chosen;
  return { hand: stays && meanings.length === 1 ? EMPTY_HAND : helping, chosen: settled };
}

/** Handle a drag of the unit in `from` to `province`: a move if one is possible, by land if that is possible. */
export function drop(book: Book, { chosen }: Plan, from: string, province: string): Plan {
  const plan = { hand: { ...EMPTY_HAND, unit: from }, chosen };
  if (province === from || winter(book)) return plan;
  const meanings = options(book, plan, province);
  const moves = meanings.filter((option) => 'order' in option);
  const byLand = moves.filter(({ order }) => !order.bySea);
  const meant = byLand.length ? byLand : moves.length ? moves : meanings;
  return settle(book, plan, province, meant) ?? plan;
}

/** Undo the last step. */
export function back({ hand, chosen }: Plan): Plan {
  if (hand.open) return { hand: { ...hand, open: null }, chosen };
  if (hand.help) return { hand: { ...hand, help: null }, chosen };
  if (hand.verb) return { hand: { ...hand, verb: null }, chosen };
  return { hand: EMPTY_HAND, chosen };
}

/** Return the provinces in which a click has a meaning; without a selection, those with units that can be selected. */
export function places(book: Book, plan: Plan): string[] {
  const unit = inHand(book, plan.hand);
  if (!unit) {
    const units = [...book.orderable.keys()];
    return winter(book) && left(book, plan.chosen) <= 0 ? units.filter((at) => plan.chosen.has(at)) : units;
  }
  const named = unit.orders.flatMap(({ to, helps }) => [to, helps?.at].flatMap((at) => (at ? provinceOf(at) : [])));
  return [...new Set(named)].filter((province) => options(book, plan, province).length > 0);
}

function inHand(book: Book, hand: Hand): Orderable | undefined {
  return hand.unit === null ? undefined : book.orderable.get(hand.unit);
}
