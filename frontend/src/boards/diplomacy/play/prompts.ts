/** Texts for the user of the map: the next task, and the meaning of a click. */

import { provinceOf, type PlayedOrder } from '../orders';
import { kindName, placeName, unitName } from '../story/orderText';
import { left, type Book, type Chosen, type Stranded } from './book';
import type { Help, Option, Plan, Verb } from './hand';
import { agree, many } from '../../../lib/say';

export const VERBS: Record<Verb, string> = {
  hold: 'Hold',
  move: 'Move',
  support: 'Support',
  convoy: 'Convoy',
  disband: 'Disband',
};

const ASKS: Partial<Record<Verb, string>> = {
  move: 'pick where it moves.',
  support: 'pick which unit it supports.',
  convoy: 'pick which army it convoys.',
};

/** Return the meaning of a click: `Move to Spain (north coast)`. */
export function optionWords(book: Book, option: Option): string {
  if ('help' in option) return `${VERBS[option.help.kind]} ${helpedName(book, option.help.at)}`;
  return orderWords(option.order);
}

function helpedName(book: Book, province: string): string {
  const orders = [...book.orderable.values()].flatMap((place) => place.orders);
  const helped = orders.find(({ helps }) => helps && provinceOf(helps.at) === province)?.helps;
  return helped ? unitName(helped) : placeName(province);
}

function orderWords({ kind, unit, to, helps, bySea }: PlayedOrder): string {
  const place = placeName(to ?? '');
  const coast = /\(.*\)$/.exec(placeName(unit?.at ?? ''))?.[0];
  switch (kind) {
    case 'move':
      return `Move to ${place}${bySea ? ' by convoy' : ''}`;
    case 'retreat':
      return `Retreat to ${place}`;
    case 'build':
      return `Build ${unit?.kind === 'F' ? 'a fleet' : 'an army'}${coast ? ` ${coast}` : ''}`;
    case 'support':
    case 'convoy':
      return `${VERBS[kind]} ${helps ? unitName(helps) : ''}${to ? ` to ${place}` : ''}`;
    case 'hold':
    case 'disband':
      return VERBS[kind];
    case 'waive':
      return 'Waive';
  }
}

/** Return what a move by sea still needs: `Army in London moves to Norway by sea: no fleet convoys it yet.` */
export function strandedWords({ move, convoys }: Stranded): string {
  const name = move.unit ? unitName(move.unit) : '';
  const goes = `${name[0]?.toUpperCase()}${name.slice(1)} moves to ${placeName(move.to ?? '')} by sea`;
  return convoys.length ? `${goes}: no fleet convoys it yet.` : `${goes}: it needs a fleet of another power.`;
}

/** Return the next task as a sentence. */
export function prompt(book: Book, plan: Plan): string {
  const { hand, chosen } = plan;
  const unit = hand.unit === null ? null : (book.orderable.get(hand.unit)?.unit ?? null);
  if (hand.open) return `${placeName(hand.open.at)}: which order?`;
  if (!unit) return idle(book, chosen);
  const name = `${kindName(unit.kind)} in ${placeName(unit.at)}`;
  const subject = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (hand.help) return helping(book, subject, hand.help);
  if (book.stage === 'retreats') return `${subject}: pick where it retreats to, or disband it.`;
  return `${subject}: ${ASKS[hand.verb ?? 'hold'] ?? 'pick where it moves, or whom it helps.'}`;
}

function helping(book: Book, subject: string, { kind, at }: Help): string {
  return kind === 'convoy'
    ? `${subject} convoys ${helpedName(book, at)}: pick where it lands.`
    : `${subject} supports ${helpedName(book, at)}: pick where to.`;
}

function idle(book: Book, chosen: Chosen): string {
  const open = left(book, chosen);
  switch (book.stage) {
    case 'moves':
      if (!open) return 'Every unit has an order.';
      return chosen.size
        ? `${many(open, 'unit')} without an order: left so, ${agree(open, 'it holds', 'they hold')}.`
        : 'Pick a unit, or drag it to where it moves.';
    case 'retreats':
      return open ? `${many(open, 'dislodged unit')} to retreat; left without an order, it disbands.` : 'All is said.';
    case 'builds':
      return open ? `${many(open, 'unit')} may be built: pick where.` : 'Every build is used.';
    case 'removals':
      return open ? `${many(open, 'unit')} must go: pick which.` : 'Enough units go.';
  }
}
