/** Clicks on the places of a board: the choice in progress, and what the next click means. Pure. */

import type { PickSlot, SlotOption } from '../types.gen';
import { addable, optionText, toggle, type Chosen, type Slot } from './slots';

/** One meaning of a click: an option, or with `option` null a kind of option whose second place is still to be clicked. */
export interface Meaning {
  readonly slot: string;
  readonly kind: string;
  readonly option: SlotOption | null;
}

/** The choice in progress. */
export interface Hand {
  /** The slot that the next click is for; '' if it is not chosen yet. */
  readonly slot: string;
  /** The only kind of option that the next click can mean; '' for any. */
  readonly kind: string;
  /** The first place of an option that has two, if it was clicked; else ''. */
  readonly first: string;
  /** The place that was clicked and its possible meanings, if there are several. */
  readonly open: { readonly at: string; readonly meanings: readonly Meaning[] } | null;
}

export const EMPTY_HAND: Hand = { slot: '', kind: '', first: '', open: null };

/** The choice in progress and what is chosen. */
export interface Plan {
  readonly hand: Hand;
  readonly chosen: Chosen;
}

const pathOf = ({ target }: SlotOption): readonly string[] => (target ? target.split(' ') : []);
const isPick = (slot: Slot): slot is PickSlot => slot.kind === 'pick';

/** Return the place of a slot, which is that of its default: a click there takes it up. '' if it has none. */
export const homeOf = (slot: Slot): string =>
  slot.kind === 'pick' ? (slot.options.find(({ word }) => word === slot.default)?.target ?? '') : '';

/** Return whether a slot is answered on the board. */
export const onBoard = (slot: Slot): boolean =>
  (slot.kind === 'pick' || slot.kind === 'many') && slot.options.some(({ target }) => target);

/** Return the only slot if it has no place of its own, and moves from place to place: it need not be taken up. */
function mover([slot, ...others]: readonly Slot[]): PickSlot | undefined {
  if (!slot || others.length || !isPick(slot) || homeOf(slot)) return undefined;
  return slot.options.some((option) => pathOf(option).length > 1) ? slot : undefined;
}

/** Return the slot that the next click is for: the one taken up. */
const taken = (slots: readonly Slot[], { slot }: Hand): PickSlot | undefined =>
  slots.filter(isPick).find(({ name }) => name === slot) ?? mover(slots);

/** Return the options of the slot in hand that a click can lead to: not the default, which needs no click. */
const within = (slot: PickSlot, hand: Hand): readonly SlotOption[] => {
  const home = homeOf(slot);
  return slot.options.filter(({ target, kind }) => target && target !== home && (!hand.kind || kind === hand.kind));
};

/** Return the possible meanings of a click on `place`. */
export function meaningsOf(slots: readonly Slot[], { hand, chosen }: Plan, place: string): Meaning[] {
  const slot = taken(slots, hand);
  if (!slot) return slots.flatMap((other) => atOnce(other, chosen, place));
  const options = within(slot, hand);
  if (hand.first) {
    return options.filter(({ target }) => target === `${hand.first} ${place}`).map((option) => meaning(slot, option));
  }
  const there = options.filter((option) => pathOf(option)[0] === place);
  const kinds = new Set(there.filter((option) => pathOf(option).length > 1).map(({ kind }) => kind));
  return [
    ...there.filter((option) => pathOf(option).length === 1).map((option) => meaning(slot, option)),
    ...[...kinds].map((kind) => ({ slot: slot.name, kind, option: null })),
  ];
}

const meaning = ({ name }: Slot, option: SlotOption): Meaning => ({ slot: name, kind: option.kind, option });

/** Return the meanings of a click for a slot that need not be taken up: a set, or one without a place of its own. */
function atOnce(slot: Slot, chosen: Chosen, place: string): Meaning[] {
  if (slot.kind === 'pick' && !homeOf(slot)) {
    return slot.options.filter(({ target }) => target === place).map((option) => meaning(slot, option));
  }
  if (slot.kind !== 'many') return [];
  const words = wordsOf(slot, chosen);
  const free = slot.options.filter(({ word, target }) => target === place && addable(slot, words, word));
  return free.map((option) => meaning(slot, option));
}

const wordsOf = ({ name }: Slot, chosen: Chosen): readonly string[] => {
  const value = chosen[name];
  return Array.isArray(value) ? value : [];
};

/** Return the slot of a set that has an option of `place`, and the words without it. */
function undoAt(slots: readonly Slot[], chosen: Chosen, place: string): Chosen | null {
  for (const slot of slots) {
    if (slot.kind !== 'many') continue;
    const words = wordsOf(slot, chosen);
    const option = slot.options.find(({ word, target }) => target === place && words.includes(word));
    if (option) return { ...chosen, [slot.name]: toggle(slot, words, option.word) };
  }
  return null;
}

/** Handle a click on `place`, or on none. */
export function press(slots: readonly Slot[], plan: Plan, place: string | null): Plan {
  if (place === null) return back(plan);
  const hand = { ...plan.hand, open: null };
  const now = { hand, chosen: plan.chosen };
  const undone = hand.slot ? null : undoAt(slots, plan.chosen, place);
  if (undone) return { hand: EMPTY_HAND, chosen: undone };
  const settled = settle(slots, now, place, meaningsOf(slots, now, place));
  if (settled) return settled;
  // Another place to move from.
  if (hand.first && mover(slots)) return press(slots, { hand: EMPTY_HAND, chosen: plan.chosen }, place);
  // The place is no target of the slot in hand: take up another slot, or none.
  const other = slots.find((slot) => homeOf(slot) === place && slot.name !== hand.slot);
  return { hand: { ...EMPTY_HAND, slot: other?.name ?? '' }, chosen: plan.chosen };
}

/** Choose the only meaning of a click, or ask which one; null if there is none. */
function settle(slots: readonly Slot[], plan: Plan, at: string, meanings: readonly Meaning[]): Plan | null {
  const [only] = meanings;
  if (!only) return null;
  if (meanings.length === 1) return take(slots, plan, only, at);
  return { hand: { ...plan.hand, open: { at, meanings } }, chosen: plan.chosen };
}

/** Choose one of the meanings of a click on `at`. */
export function take(slots: readonly Slot[], { hand, chosen }: Plan, meant: Meaning, at: string): Plan {
  const { slot: name, kind, option } = meant;
  if (option) return { hand: EMPTY_HAND, chosen: chosenWith(slots, chosen, name, option) };
  const first: Hand = { ...hand, kind, first: at, open: null };
  const slot = taken(slots, first);
  const rest = slot ? within(slot, first).filter((other) => pathOf(other)[0] === at) : [];
  // If the supported unit may hold, support to hold is chosen until a second place is clicked.
  const stays = rest.find(({ target }) => target === `${at} ${at}`);
  const next = stays ? chosenWith(slots, chosen, name, stays) : chosen;
  return { hand: stays && rest.length === 1 ? EMPTY_HAND : first, chosen: next };
}

function chosenWith(slots: readonly Slot[], chosen: Chosen, name: string, { word }: SlotOption): Chosen {
  const slot = slots.find((other) => other.name === name);
  const value = slot?.kind === 'many' ? toggle(slot, wordsOf(slot, chosen), word) : word;
  return { ...chosen, [name]: value };
}

/**
 * Handle a drag from `from` to `place`: it means an option of one place before one of two, the first kind before others,
 * and a word before one that goes on from it (`A YOR - WAL VIA`).
 */
export function drag(slots: readonly Slot[], { chosen }: Plan, from: string, place: string): Plan {
  if (mover(slots)) return press(slots, press(slots, { hand: EMPTY_HAND, chosen }, from), place);
  const slot = slots.find((other) => homeOf(other) === from);
  const plan = { hand: { ...EMPTY_HAND, slot: slot?.name ?? '' }, chosen };
  if (!slot || place === from) return plan;
  const meanings = meaningsOf(slots, plan, place);
  const options = meanings.filter(({ kind, option }) => option && kind === meanings[0]?.kind);
  const goesOn = (word: string): boolean => options.some(({ option }) => option && word.startsWith(`${option.word} `));
  const meant = options.filter(({ option }) => option && !goesOn(option.word));
  return settle(slots, plan, place, meant.length ? meant : meanings) ?? plan;
}

/** Return the kinds of option that slots have which are answered on the board. */
export const kindsOf = (slots: readonly Slot[]): readonly string[] => [
  ...new Set(
    slots.filter(isPick).flatMap(({ options }) => options.flatMap(({ kind, target }) => (target && kind) || [])),
  ),
];

/** Return the kinds that are possible for the slot in hand. */
export const possible = (slots: readonly Slot[], hand: Hand): readonly string[] =>
  kindsOf(slots.filter(({ name }) => name === hand.slot));

/** Restrict clicks to `kind`, or remove the restriction; the kind of the default needs no click and is chosen at once. */
export function ofKind(slots: readonly Slot[], { hand, chosen }: Plan, kind: string): Plan {
  const slot = taken(slots, hand);
  if (!slot || !possible(slots, hand).includes(kind)) return { hand, chosen };
  const usual = slot.options.find(({ word }) => word === slot.default);
  if (usual?.kind === kind) return { hand: EMPTY_HAND, chosen: chosenWith(slots, chosen, slot.name, usual) };
  return { hand: { ...EMPTY_HAND, slot: slot.name, kind: hand.kind === kind ? '' : kind }, chosen };
}

/** Undo the last step of the choice in progress. */
export function back({ hand, chosen }: Plan): Plan {
  if (hand.open) return { hand: { ...hand, open: null }, chosen };
  if (hand.first) return { hand: { ...hand, first: '', kind: '' }, chosen };
  if (hand.kind) return { hand: { ...hand, kind: '' }, chosen };
  return { hand: EMPTY_HAND, chosen };
}

/** Return the places in which a click has a meaning: of the slot in hand, or those at which one can be taken up. */
export function placesOf(slots: readonly Slot[], plan: Plan): string[] {
  const { hand, chosen } = plan;
  const slot = taken(slots, hand);
  if (slot) {
    const options = within(slot, hand).map(pathOf);
    const next = hand.first
      ? options.filter(([first]) => first === hand.first).map(([, to]) => to)
      : options.map(([to]) => to);
    return [...new Set(next.flatMap((place) => place ?? []))];
  }
  const targets = slots
    .filter(onBoard)
    .flatMap((other) =>
      homeOf(other)
        ? [homeOf(other)]
        : other.kind === 'pick' || other.kind === 'many'
          ? other.options.flatMap(pathOf)
          : [],
    );
  return [...new Set(targets)].filter(
    (place) =>
      slots.some((other) => homeOf(other) === place) ||
      undoAt(slots, chosen, place) !== null ||
      meaningsOf(slots, plan, place).length > 0,
  );
}

/** Return the places in which a click has a meaning, each with it in words; '' if it has several, or takes up a slot. */
export function targetsOf(slots: readonly Slot[], plan: Plan): Map<string, string> {
  return new Map(
    placesOf(slots, plan).map((place) => {
      const [only, more] = meaningsOf(slots, plan, place);
      return [place, only?.option && !more ? optionText(only.option) : ''];
    }),
  );
}

/** Return the places of the options that are chosen. */
export const pickedOf = (slots: readonly Slot[], chosen: Chosen): string[] =>
  slots.flatMap((slot) => {
    const value = chosen[slot.name];
    const options = slot.kind === 'pick' || slot.kind === 'many' ? slot.options : [];
    return options
      .filter(({ word }) => word === value || (Array.isArray(value) && value.includes(word)))
      .flatMap(pathOf);
  });

/** What is chosen in one place of the board, for a list. */
export interface Slip {
  readonly slot: string;
  readonly at: string;
  /** The word that is chosen; where none is, what the slot or place is called. */
  readonly text: string;
  /** Whether nothing but the default is chosen. */
  readonly open: boolean;
}

/** Return what is chosen in the slots that are answered on the board: one entry for each slot, or place of a set. */
export function slipsOf(slots: readonly Slot[], chosen: Chosen): Slip[] {
  return slots.filter(onBoard).flatMap((slot): Slip[] => {
    if (slot.kind === 'pick') {
      const value = chosen[slot.name];
      const text = typeof value === 'string' ? value : slot.name;
      return [{ slot: slot.name, at: homeOf(slot), text, open: value === undefined || value === slot.default }];
    }
    if (slot.kind !== 'many') return [];
    const words = wordsOf(slot, chosen);
    return [...new Set(slot.options.map(({ target }) => target))].map((at) => {
      const word = slot.options.find((option) => option.target === at && words.includes(option.word))?.word;
      return { slot: slot.name, at, text: word ?? at, open: word === undefined };
    });
  });
}

/** Return `chosen` without the choice of a slip: its default, or the set without it. */
export function undo(slots: readonly Slot[], chosen: Chosen, { slot: name, at }: Slip): Chosen {
  const slot = slots.find((other) => other.name === name);
  if (slot?.kind === 'pick' && slot.default != null) return { ...chosen, [name]: slot.default };
  return undoAt(slots, chosen, at) ?? chosen;
}

/** Return the word that a refusal is about, from its field, such as `orders[2]`; '' if it names none. */
export function refusedWord(action: Readonly<Record<string, unknown>>, field: string | null): string {
  const [, name = '', place = ''] = /^(\w+)\[(\d+)\]$/.exec(field ?? '') ?? [];
  const list = action[name];
  const word: unknown = Array.isArray(list) ? list[Number(place)] : null;
  return typeof word === 'string' ? word : '';
}
