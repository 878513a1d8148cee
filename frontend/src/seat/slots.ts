/** A seat's answer to the slots of its game. Pure. */

import { capital, plain } from '../lib/text';
import type { ManySlot, SeatChoices, SlotOption } from '../types.gen';

/** An action in the game's own format. */
export type Action = NonNullable<SeatChoices['action']>;
export type Stage = SeatChoices['stages'][number];
export type Slot = Stage[number];
export type Chosen = SeatChoices['chosen'];
export type Value = Chosen[string];

/** The most options of a slot that are shown as buttons. */
const BUTTONS = 6;

const FLAGS: Readonly<Record<string, string>> = { true: 'yes', false: 'no' };

const spaced = (text: string): string => FLAGS[text] ?? text.replaceAll('_', ' ');

/** Return the question of a slot: its prompt, or its name. */
export const question = ({ prompt, name }: Slot): string => plain(prompt || capital(spaced(name)), 200);

export const optionText = ({ word, text }: SlotOption): string =>
  plain(text ? `${spaced(word)} (${spaced(text)})` : spaced(word), 120);

/** Return whether the picks of a stage are rows of buttons: all of them alike, if each has few options. */
export const inButtons = (stage: readonly Slot[], most = BUTTONS): boolean =>
  stage.every((slot) => slot.kind !== 'pick' || slot.options.length <= most);

/** Return the words of the set with `word` added or removed, in the order of the options. */
export function toggle({ options }: ManySlot, words: readonly string[], word: string): string[] {
  const target = options.find((option) => option.word === word)?.target;
  const apart = (other: SlotOption): boolean => !target || other.target !== target;
  const taken = (option: SlotOption): boolean =>
    option.word === word ? !words.includes(word) : words.includes(option.word) && apart(option);
  return options.filter(taken).map((option) => option.word);
}

/** The most options that are listed without a field to search them. */
export const SHORT = 30;

/** Return whether `word` can be added to the set, if another option of its target makes room. */
export const addable = (slot: ManySlot, words: readonly string[], word: string): boolean =>
  toggle(slot, words, word).length <= slot.most;

const length = (value: Value | undefined): number => [...String(value ?? '')].length;

/** Return what the answer to a slot lacks, or ''. */
export function lacks(slot: Slot, value: Value | undefined): string {
  if (slot.kind === 'many') {
    const count = Array.isArray(value) ? value.length : 0;
    return count < slot.least ? `${slot.least - count} more must be chosen` : '';
  }
  if (slot.kind === 'text') {
    const over = length(value) - slot.limit;
    return over > 0 ? `${over} characters too many` : '';
  }
  if (slot.kind === 'pick') return value === undefined ? 'Choose one.' : '';
  const { low, high, step } = slot;
  const fits = typeof value === 'number' && value >= low && value <= high && (value - low) % step === 0;
  return fits ? '' : `A whole number from ${low} to ${high}${step > 1 ? ` in steps of ${step}` : ''}`;
}

/** Return the line below a slot: what the chosen option does, or what is lacking, or how much is used. */
export function noteOn(slot: Slot, value: Value | undefined): string {
  if (slot.kind === 'pick') return plain(slot.options.find(({ word }) => word === value)?.help ?? '', 240);
  const used = slot.kind === 'text' ? `${length(value)} of ${slot.limit} characters` : '';
  return (
    lacks(slot, value) ||
    used ||
    (Array.isArray(value) && slot.kind === 'many' ? `${value.length} of ${slot.most} chosen` : '')
  );
}

/** Return the stages of `after` with those empty that are not as they were `before`. */
export const sameStages = (before: readonly Stage[], after: readonly Stage[]): readonly Stage[] =>
  after.map((stage, index) => (same(stage, before[index]) ? stage : []));

/** Return the values of `stages` that lack nothing. */
export function complete(stages: readonly Stage[], chosen: Chosen): Chosen {
  const slots = stages.flat().filter((slot) => slot.name in chosen && !lacks(slot, chosen[slot.name]));
  return Object.fromEntries(slots.map(({ name }) => [name, chosen[name]])) as Chosen;
}

/** Return the values that are not of `slots`. */
export function without(chosen: Chosen, slots: readonly Slot[]): Chosen {
  const names = new Set(slots.map(({ name }) => name));
  return Object.fromEntries(Object.entries(chosen).filter(([name]) => !names.has(name)));
}

/** Return whether two values or stages are equal. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
