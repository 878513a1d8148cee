/** From clicks to orders: what is being ordered now, and what a click on a province means then. Pure. */

import { provinceOf, type PlayedOrder } from '../orders';
import { left, winter, without, withOrder, type Book, type Chosen, type Orderable } from './book';

export type Verb = 'hold' | 'move' | 'support' | 'convoy' | 'disband';

/** The unit that is to be supported or convoyed. */
export interface Help {
  readonly kind: 'support' | 'convoy';
  /** Its province. */
  readonly at: string;
}

/** One thing that a click can mean: an order, or whom to help, with where to still to be said. */
export type Option = { readonly order: PlayedOrder } | { readonly help: Help };

/** What is being ordered. Null or empty is what is not said yet. */
export interface Hand {
  /** The province of the unit, or where to build. */
  readonly unit: string | null;
  /** The only kind of order that clicks are taken for. */
  readonly verb: Verb | null;
  readonly help: Help | null;
  /** Where a click could mean several things, and which. */
  readonly open: { readonly at: string; readonly options: readonly Option[] } | null;
}

export const EMPTY_HAND: Hand = { unit: null, verb: null, help: null, open: null };

/** A hand and what it has chosen so far. */
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

/** The verbs that units are told in this stage. */
export function stageVerbs({ stage }: Book): readonly Verb[] {
  if (stage === 'moves') return ['hold', 'move', 'support', 'convoy'];
  return stage === 'retreats' ? ['disband'] : [];
}

/** Those that the unit in hand can be told. */
export function verbs(book: Book, hand: Hand): Verb[] {
  const orders = inHand(book, hand)?.orders ?? [];
  return stageVerbs(book).filter((verb) => orders.some(KIND[verb]));
}

/** Take clicks for `verb` only, or again for any; what needs no click is chosen at once. */
export function say(book: Book, { hand, chosen }: Plan, verb: Verb): Plan {
  const order = inHand(book, hand)?.orders.find(KIND[verb]);
  if (!order) return { hand, chosen };
  if (verb === 'hold' || verb === 'disband') return { hand: EMPTY_HAND, chosen: withOrder(chosen, order) };
  return { hand: { ...EMPTY_HAND, unit: hand.unit, verb: hand.verb === verb ? null : verb }, chosen };
}

/** What a click on `province` can mean. */
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

/** In winter a click on a place or unit is an order at once, as long as one more may be given. */
function atSite(book: Book, chosen: Chosen, province: string): Option[] {
  const orders = book.orderable.get(province)?.orders ?? [];
  return winter(book) && left(book, chosen) > 0 ? orders.map((order) => ({ order })) : [];
}

/** A click on `province`, or beside all of them. */
export function pick(book: Book, plan: Plan, province: string | null): Plan {
  const { hand, chosen } = plan;
  if (province === null) return back(plan);
  if (winter(book) && chosen.has(province)) return { hand: EMPTY_HAND, chosen: without(chosen, province) };
  const settled = settle(book, plan, province, options(book, plan, province));
  if (settled) return settled;
  // Not one of the places that the unit in hand can be told: another unit is taken up, or this one is put down.
  const other = book.orderable.get(province);
  const takes = other && !winter(book) && province !== hand.unit;
  return { hand: takes ? { ...EMPTY_HAND, unit: province } : EMPTY_HAND, chosen };
}

/** Take the only thing that a click on `province` means, or ask which of them; null where it means nothing. */
function settle(book: Book, plan: Plan, province: string, found: readonly Option[]): Plan | null {
  const [only] = found;
  if (!only) return null;
  if (found.length === 1) return take(book, plan, only);
  return { hand: { ...plan.hand, open: { at: province, options: found } }, chosen: plan.chosen };
}

/** Take one of the things that a click can mean. */
export function take(book: Book, { hand, chosen }: Plan, option: Option): Plan {
  if ('order' in option) return { hand: EMPTY_HAND, chosen: withOrder(chosen, option.order) };
  const { help } = option;
  const helping: Hand = { ...hand, help, open: null };
  const found = places(book, { hand: helping, chosen }).map((place) => options(book, { hand: helping, chosen }, place));
  // To support a unit where it stands is what is meant until a destination is named.
  const stays = found.flat().find((one) => 'order' in one && one.order.to === null);
  const settled = stays && 'order' in stays ? withOrder(chosen, stays.order) : chosen;
  return { hand: stays && found.length === 1 ? EMPTY_HAND : helping, chosen: settled };
}

/** The unit in `from` is dragged to `province`: that is a move wherever it can be one, and by land where that can be. */
export function drop(book: Book, { chosen }: Plan, from: string, province: string): Plan {
  const plan = { hand: { ...EMPTY_HAND, unit: from }, chosen };
  if (province === from || winter(book)) return plan;
  const found = options(book, plan, province);
  const moves = found.filter((option) => 'order' in option);
  const byLand = moves.filter(({ order }) => !order.bySea);
  const meant = byLand.length ? byLand : moves.length ? moves : found;
  return settle(book, plan, province, meant) ?? plan;
}

/** One step back. */
export function back({ hand, chosen }: Plan): Plan {
  if (hand.open) return { hand: { ...hand, open: null }, chosen };
  if (hand.help) return { hand: { ...hand, help: null }, chosen };
  if (hand.verb) return { hand: { ...hand, verb: null }, chosen };
  return { hand: EMPTY_HAND, chosen };
}

/** The provinces where a click has a meaning for what is in hand; with nothing in hand, what can be taken up. */
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
