/** What a captain is asked and may choose, as its view says it. Pure. */

import type { Action } from '../../board';
import type { SheetPlayer } from '../whole';

/** The `legal` of a seat's view. */
export interface Legal {
  /** The tool that moves the match on; null while the seat is not asked. */
  readonly must: string | null;
  /** Calls of other tools that are left before it. */
  readonly free_calls_left: number;
  readonly tools: readonly {
    readonly name: string;
    readonly parameters: { readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
  }[];
  readonly restrictions?: readonly Restriction[];
}

/** At most `most` fielders may stand in `places`; with more of them the umpire calls no-ball. */
export interface Restriction {
  readonly where: string;
  readonly most: number;
  readonly places: readonly string[];
}

/** The `observation` of a seat's view, as far as it is shown here. */
export interface Seen {
  readonly teams: Readonly<Record<string, { readonly players: readonly Card[] }>>;
  readonly innings: readonly { readonly bowlers: readonly (readonly [string, ...number[]])[] }[];
  readonly now: {
    readonly striker: string | null;
    readonly non_striker: string | null;
    readonly bowler: string | null;
    readonly field: readonly string[];
    readonly overs_left: Readonly<Record<string, number>>;
  } | null;
  readonly appeal?: {
    readonly kind: string;
    readonly given_out: boolean;
    readonly evidence: string;
    readonly reviews_left: number;
  };
}

/** A player with last season's figures: innings, runs, average, strike rate; overs, wickets, and runs an over. */
export interface Card extends SheetPlayer {
  readonly bat?: readonly number[];
  readonly bowl?: readonly number[];
}

export type Arguments = Readonly<Record<string, unknown>>;

/** What `argument` of `tool` may be; empty where the tool cannot be called or does not take it. */
export function choices(legal: Legal, tool: string, argument: string): readonly string[] {
  return legal.tools.find(({ name }) => name === tool)?.parameters.properties[argument]?.enum ?? [];
}

/** Whether `tool` may be called now. */
export function can(legal: Legal, tool: string): boolean {
  return (tool === legal.must || legal.free_calls_left > 0) && legal.tools.some(({ name }) => name === tool);
}

/** The arguments chosen so far for the tool that moves the match on. */
export function chosenOf(legal: Legal, draft: Action | null): Arguments {
  const given = draft?.['tool'] === legal.must ? draft?.['arguments'] : null;
  return typeof given === 'object' && given !== null ? (given as Arguments) : {};
}

export function call(tool: string | null, given: Arguments): Action {
  return { tool, arguments: given };
}

/** `given` with another value for some arguments; '' and 'natural' leave one out. */
export function withArguments(given: Arguments, changes: Readonly<Record<string, string>>): Arguments {
  const all = Object.entries({ ...given, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== '' && value !== 'natural'));
}

/** `given` as far as the tool that moves the match on takes it now: a spinner bowls no bouncer. */
export function within(legal: Legal, given: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => choices(legal, legal.must ?? '', name).includes(String(value))),
  );
}

/** A bowler to choose from. */
export interface Spell {
  readonly name: string;
  readonly style: string | null;
  /** Balls, maidens, runs and wickets so far. */
  readonly figures: readonly [balls: number, maidens: number, runs: number, wickets: number];
  /** Overs that the quota leaves; null for a part-timer who has the whole of it. */
  readonly left: number | null;
}

/** Who may bowl this over, who bowled in the innings first. */
export function spells(legal: Legal, seen: Seen): Spell[] {
  const bowled = new Map((seen.innings.at(-1)?.bowlers ?? []).map(([name, ...figures]) => [name, figures]));
  const found = choices(legal, 'choose_bowler', 'bowler').map((name): Spell => {
    const [balls = 0, maidens = 0, runs = 0, wickets = 0] = bowled.get(name) ?? [];
    const style = cardOf(seen, name)?.style ?? null;
    return { name, style, figures: [balls, maidens, runs, wickets], left: seen.now?.overs_left[name] ?? null };
  });
  const rank = ({ figures: [balls], left }: Spell): number => (left === null ? 2 : balls ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b));
}

export function cardOf({ teams }: Seen, name: string): Card | undefined {
  return Object.values(teams)
    .flatMap(({ players }) => players)
    .find((player) => player.name === name);
}

/** Whether an end waits for a batter. */
export function vacant({ now }: Seen): boolean {
  return now !== null && (now.striker === null || now.non_striker === null);
}
