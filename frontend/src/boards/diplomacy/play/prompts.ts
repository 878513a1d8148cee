/** Texts for the user of the map: the next task, and the meaning of a click. */

import { agree, many } from '../../../lib/say';
import { slipsOf, type Meaning, type Plan } from '../../../seat/places';
import type { Chosen, Slot } from '../../../seat/slots';
import { provinceOf, readUnit, type PlayedOrder, type UnitName } from '../orders';
import { readText } from '../story/notation';
import { kindName, placeName, unitName } from '../story/orderText';

const VERBS: Record<string, string> = { hold: 'Hold', support: 'Support', convoy: 'Convoy', disband: 'Disband' };

const ASKS: Record<string, string> = {
  move: 'pick where it moves.',
  support: 'pick which unit it supports.',
  convoy: 'pick which army it convoys.',
};

type Slots = readonly Slot[];

/** Return the orders that slots offer. */
export const ordersIn = (slots: Slots): readonly string[] =>
  slots.flatMap((slot) => (slot.kind === 'pick' || slot.kind === 'many' ? slot.options : [])).map(({ word }) => word);

/** Return the meaning of a click on `at`: `Move to Spain (north coast)`, `Support the fleet in Brest`. */
export function meaningWords(slots: Slots, { kind, option }: Meaning, at: string): string {
  return option ? orderWords(readText('', option.word)) : `${VERBS[kind]} ${helped(slots, at)}`;
}

/** Return the unit in `province` that some order helps. */
function helped(slots: Slots, province: string): string {
  for (const text of ordersIn(slots)) {
    const unit = /^. \S+ [SC] (. \S+)/.exec(text)?.[1];
    if (unit && provinceOf(unit.slice(2)) === province) return unitName(readUnit(unit));
  }
  return placeName(province);
}

function orderWords({ kind, unit, to, helps, bySea }: PlayedOrder): string {
  const place = placeName(to ?? '');
  const coast = /\(.*\)$/.exec(placeName(unit?.at ?? ''))?.[0];
  if (kind === 'move') return `Move to ${place}${bySea ? ' by convoy' : ''}`;
  if (kind === 'retreat') return `Retreat to ${place}`;
  if (kind === 'build') return `Build ${unit?.kind === 'F' ? 'a fleet' : 'an army'}${coast ? ` ${coast}` : ''}`;
  return [VERBS[kind], helps ? unitName(helps) : '', to ? `to ${place}` : ''].filter(Boolean).join(' ');
}

const nameOf = (unit: UnitName): string => {
  const name = `${kindName(unit.kind)} in ${placeName(unit.at)}`;
  return `${name[0]?.toUpperCase()}${name.slice(1)}`;
};

/** A chosen move by sea that no chosen convoy carries, and the own fleets' orders that would help it. */
export interface Stranded {
  readonly move: PlayedOrder;
  readonly convoys: readonly { readonly slot: string; readonly word: string }[];
}

/** Return the chosen moves by sea for which no own fleet is ordered to convoy. */
export function stranded(slots: Slots, chosen: Chosen): readonly Stranded[] {
  const given = new Set(Object.values(chosen).filter((value) => typeof value === 'string'));
  return [...given].flatMap((text) => {
    const [, army = '', to = ''] = /^(A \S+) - (\S+) VIA$/.exec(text) ?? [];
    const carries = (word: string): boolean => word.endsWith(` C ${army} - ${to}`);
    if (!army || [...given].some(carries)) return [];
    const convoys = slots.flatMap((slot) => {
      const word = slot.kind === 'pick' ? slot.options.map((option) => option.word).find(carries) : undefined;
      return word ? [{ slot: slot.name, word }] : [];
    });
    return [{ move: readText('', text), convoys }];
  });
}

/** Return what a move by sea still needs: `Army in London moves to Norway by sea: no fleet convoys it yet.` */
export function strandedWords({ move, convoys }: Stranded): string {
  const goes = `${move.unit ? nameOf(move.unit) : ''} moves to ${placeName(move.to ?? '')} by sea`;
  return convoys.length ? `${goes}: no fleet convoys it yet.` : `${goes}: it needs a fleet of another power.`;
}

/** Return the next task as a sentence. */
export function prompt(slots: Slots, { hand, chosen }: Plan): string {
  if (hand.open) return `${placeName(hand.open.at)}: which order?`;
  if (!hand.slot) return idle(slots, chosen);
  const subject = nameOf(readUnit(hand.slot));
  if (hand.first) {
    return hand.kind === 'convoy'
      ? `${subject} convoys ${helped(slots, hand.first)}: pick where it lands.`
      : `${subject} supports ${helped(slots, hand.first)}: pick where to.`;
  }
  if (retreats(slots)) return `${subject}: pick where it retreats to, or disband it.`;
  return `${subject}: ${ASKS[hand.kind] ?? 'pick where it moves, or whom it helps.'}`;
}

const retreats = (slots: Slots): boolean => ordersIn(slots).some((text) => / [DR]( |$)/.test(text));

function idle(slots: Slots, chosen: Chosen): string {
  const set = slots.find((slot) => slot.kind === 'many');
  const open = slipsOf(slots, chosen).filter((slip) => slip.open).length;
  if (set) {
    const more = set.most - slipsOf([set], chosen).filter((slip) => !slip.open).length;
    if (set.least) return more ? `${many(more, 'unit')} must be removed: pick which.` : 'Enough units are removed.';
    return more ? `${many(more, 'unit')} may be built: pick where.` : 'Every build is used.';
  }
  if (retreats(slots)) {
    return open
      ? `${many(open, 'dislodged unit')} to retreat; ${agree(open, 'it disbands', 'they disband')} without an order.`
      : 'Every dislodged unit has an order.';
  }
  if (!open) return 'Every unit has an order.';
  return open < slipsOf(slots, chosen).length
    ? `${many(open, 'unit')} without an order: unless ordered, ${agree(open, 'it holds', 'they hold')}.`
    : 'Pick a unit, or drag it to where it moves.';
}
