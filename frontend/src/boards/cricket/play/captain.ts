/** What a captain is asked for and may choose, from the slots of the answer and the seat's view. Pure. */

import type { Chosen, Slot } from '../../../seat/slots';
import type { Observation, PlayerSheet } from '../events.gen';
import { squad } from '../vocabulary';

/** Words for what is left to the players, or to the captain's plan. */
const LEFT = new Set(['natural', 'as planned']);

/** Return the words that a slot offers: none if there is no such slot. */
export function wordsOf(slots: readonly Slot[], name: string): readonly string[] {
  const slot = slots.find((other) => other.name === name);
  return slot?.kind === 'pick' || slot?.kind === 'many' ? slot.options.map(({ word }) => word) : [];
}

/** Return what an option of a slot says of itself; '' if it says nothing. */
export function helpOf(slots: readonly Slot[], name: string, word: string): string {
  const slot = slots.find((other) => other.name === name);
  return slot?.kind === 'pick' ? (slot.options.find((option) => option.word === word)?.help ?? '') : '';
}

/** Return the calls that can be made of a ball or a stroke, without those that leave it to the players. */
export const calls = (slots: readonly Slot[], name: string): readonly string[] =>
  wordsOf(slots, name).filter((word) => !LEFT.has(word));

/** Return the call that is made; '' if it is left to the players. */
export const callOf = (chosen: Chosen, name: string): string => {
  const value = chosen[name];
  return typeof value === 'string' && !LEFT.has(value) ? value : '';
};

/** Return the default of a slot. */
export function usual(slots: readonly Slot[], name: string): string {
  const slot = slots.find((other) => other.name === name);
  return slot?.kind === 'pick' ? (slot.default ?? '') : '';
}

/** Return `changes` with the default for each that is ''. */
export const given = (slots: readonly Slot[], changes: Readonly<Record<string, string>>): Chosen =>
  Object.fromEntries(Object.entries(changes).map(([name, word]) => [name, word || usual(slots, name)]));

/** Return the part of the previous choice that is offered now: a spinner bowls no bouncer. */
export function again(slots: readonly Slot[], before: Chosen): Chosen {
  return Object.fromEntries(
    slots
      .filter(({ kind }) => kind === 'pick')
      .map(({ name }) => {
        const value = before[name];
        return [name, typeof value === 'string' && wordsOf(slots, name).includes(value) ? value : usual(slots, name)];
      }),
  );
}

/** A bowler who can be chosen. */
export interface Spell {
  readonly name: string;
  readonly style: string | null;
  /** Balls, maidens, runs and wickets so far. */
  readonly figures: readonly [balls: number, maidens: number, runs: number, wickets: number];
  /** Overs left of the quota; null for a part-time bowler who has not bowled. */
  readonly left: number | null;
}

/** Return the bowlers of that name; those who have bowled in the innings come first. */
export function spells(names: readonly string[], observation: Observation): Spell[] {
  const bowled = new Map((observation.innings.at(-1)?.bowlers ?? []).map(([name, ...figures]) => [name, figures]));
  const spells = names.map((name): Spell => {
    const [balls = 0, maidens = 0, runs = 0, wickets = 0] = bowled.get(name) ?? [];
    const style = cardOf(observation, name)?.style ?? null;
    return { name, style, figures: [balls, maidens, runs, wickets], left: observation.now?.overs_left[name] ?? null };
  });
  const rank = ({ figures: [balls], left }: Spell): number => (left === null ? 2 : balls ? 0 : 1);
  return spells.sort((a, b) => rank(a) - rank(b));
}

export function cardOf({ teams }: Observation, name: string): PlayerSheet | undefined {
  return Object.values(teams)
    .flatMap(squad)
    .find((player) => player.name === name);
}

/** Return the tool with which a captain chooses a player first, if one must come: '' if none must. */
export function firstTool({ now }: Observation, tools: readonly string[]): string {
  const batter = now !== null && (now.striker === null || now.non_striker === null);
  const first = tools.includes('play_delivery') ? batter && 'choose_batter' : !now?.bowler && 'choose_bowler';
  return first && tools.includes(first) ? first : '';
}
