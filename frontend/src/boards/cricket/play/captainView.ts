/** The decisions that a captain is asked for and the legal choices, from the seat's view. Pure. */

import type { Action } from '../../board';
import type { Legal, Observation, PlayerSheet } from '../events.gen';

export type Arguments = Readonly<Record<string, unknown>>;

/** Return the values of `argument` of `tool`; empty if the tool cannot be called or has no such argument. */
export function choices(legal: Legal, tool: string, argument: string): readonly string[] {
  return legal.tools.find(({ name }) => name === tool)?.parameters.properties[argument]?.enum ?? [];
}

/** Return whether `tool` may be called now. */
export function can(legal: Legal, tool: string): boolean {
  return (tool === legal.must || legal.free_calls_left > 0) && legal.tools.some(({ name }) => name === tool);
}

/** Return the arguments chosen so far for the tool that continues the match. */
export function chosenOf(legal: Legal, draft: Action | null): Arguments {
  const values = draft?.['tool'] === legal.must ? draft?.['arguments'] : null;
  return typeof values === 'object' && values !== null ? (values as Arguments) : {};
}

export function call(tool: string | null, values: Arguments): Action {
  return { tool, arguments: values };
}

/** Return `given` with other values for some arguments; '' and 'natural' remove an argument. */
export function withArguments(values: Arguments, changes: Readonly<Record<string, string>>): Arguments {
  const all = Object.entries({ ...values, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== '' && value !== 'natural'));
}

/** Return those of the `given` arguments that are legal now: a spinner bowls no bouncer. */
export function within(legal: Legal, values: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => choices(legal, legal.must ?? '', name).includes(String(value))),
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

/** Return the bowlers who may bowl this over; those who have bowled in the innings come first. */
export function spells(legal: Legal, observation: Observation): Spell[] {
  const bowled = new Map((observation.innings.at(-1)?.bowlers ?? []).map(([name, ...figures]) => [name, figures]));
  const spells = choices(legal, 'choose_bowler', 'bowler').map((name): Spell => {
    const [balls = 0, maidens = 0, runs = 0, wickets = 0] = bowled.get(name) ?? [];
    const style = cardOf(observation, name)?.style ?? null;
    return { name, style, figures: [balls, maidens, runs, wickets], left: observation.now?.overs_left[name] ?? null };
  });
  const rank = ({ figures: [balls], left }: Spell): number => (left === null ? 2 : balls ? 0 : 1);
  return spells.sort((a, b) => rank(a) - rank(b));
}

export function cardOf({ teams }: Observation, name: string): PlayerSheet | undefined {
  return Object.values(teams)
    .flatMap(({ players }) => players)
    .find((player) => player.name === name);
}

/** Return whether a batter must be chosen for an end. */
export function vacant({ now }: Observation): boolean {
  return now !== null && (now.striker === null || now.non_striker === null);
}
