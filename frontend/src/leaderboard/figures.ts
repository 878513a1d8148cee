/** The figures of the leaderboard and of players' pages: groups, sorting, costs, and their words. Pure. */

import { cost, count } from '../lib/format';
import { capital } from '../lib/text';
import { many } from '../lib/say';
import type { Estimate, HeadToHead, LeaderboardRow } from '../types.gen';

/** An estimate whose interval is known. */
export interface Whole {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Return the estimate if it has an interval, else null. */
export function whole({ mean, low, high }: Estimate): Whole | null {
  return mean == null || low == null || high == null ? null : { mean, low, high };
}

/** Return for each player those whom the ratings do not separate from it. */
export function alike(pairs: readonly HeadToHead[]): Map<string, string[]> {
  const near = new Map<string, string[]>();
  const add = (player: string, other: string): void => {
    near.set(player, [...(near.get(player) ?? []), other]);
  };
  for (const { a, b, differ } of pairs) {
    if (differ) continue;
    add(a, b);
    add(b, a);
  }
  return near;
}

/** A group of players: the best of them, and those below who are not separated from that one. */
export interface Group {
  readonly best: string;
  readonly rows: readonly LeaderboardRow[];
}

/**
 * Return the rows, which are sorted by rating, in groups: a group ends before the first player who is separated from
 * its best.
 */
export function groups(rows: readonly LeaderboardRow[], pairs: readonly HeadToHead[]): Group[] {
  const near = alike(pairs);
  const parts: { best: string; rows: LeaderboardRow[] }[] = [];
  for (const row of rows) {
    const part = parts.at(-1);
    if (part && near.get(part.best)?.includes(row.player)) part.rows.push(row);
    else parts.push({ best: row.player, rows: [row] });
  }
  return parts;
}

/** Return the main result in one sentence. */
export function verdict(rows: readonly LeaderboardRow[], pairs: readonly HeadToHead[]): string {
  const [first] = groups(rows, pairs);
  if (!first || rows.length < 2) return '';
  const rest = first.rows.length - 1;
  if (!rest) return `${first.best} leads, separated from every other player.`;
  if (rest + 1 === rows.length) return `Nobody is separated from ${first.best}, the highest.`;
  const others = many(rest, 'other player is', 'other players are');
  return `${first.best} is the highest; ${others} not separated from it.`;
}

/** Return dollars for a match; null if no price is known. */
export function perMatch(row: LeaderboardRow): number | null {
  return row.dollars == null || !row.costed ? null : row.dollars / row.costed;
}

/** Return score for a dollar; null if the player is free, or a figure is unknown. */
export function perDollar(row: LeaderboardRow): number | null {
  const dollars = perMatch(row);
  return dollars == null || dollars <= 0 || row.score.mean == null ? null : row.score.mean / dollars;
}

/** Return seconds for an answer; null without answers whose times are known. */
export function perAnswer(row: LeaderboardRow): number | null {
  return row.answers ? row.seconds / row.answers : null;
}

/** Return tokens for a match; null without any. */
export function tokens(row: LeaderboardRow): number | null {
  return row.tokens && row.costed ? row.tokens / row.costed : null;
}

export interface Column {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly value: (row: LeaderboardRow) => number | string | null;
  readonly text: (row: LeaderboardRow) => string;
  /** The matches of the player that the figure opens. */
  readonly opens?: 'all' | 'won' | 'faults' | 'fallbacks' | 'forfeited';
}

const DASH = '–';
const orDash = (value: number | null, text: (value: number) => string): string => (value == null ? DASH : text(value));

export const COLUMNS: readonly Column[] = [
  {
    id: 'rating',
    title: 'Rating',
    says: 'Elo points with half the 95 % interval',
    value: ({ rating }) => rating.mean ?? null,
    text: ({ rating }) => ratingText(rating),
  },
  {
    id: 'counted',
    title: 'Matches',
    says: 'Matches that count: it made every decision of its seat itself',
    value: (row) => row.counted,
    text: (row) => String(row.counted),
    opens: 'all',
  },
  {
    id: 'score',
    title: 'Score',
    says: 'Mean score with its 95 % interval',
    value: ({ score }) => score.mean ?? null,
    text: ({ score }) => scoreText(score),
  },
  {
    id: 'wins',
    title: 'Wins',
    says: 'Seats that count in which it won',
    value: (row) => row.wins,
    text: (row) => String(row.wins),
    opens: 'won',
  },
  {
    id: 'fallbacks',
    title: 'Fallbacks',
    says: 'Decisions that its fallback made after a fault; their matches do not count',
    value: (row) => row.fallbacks,
    text: (row) => String(row.fallbacks),
    opens: 'fallbacks',
  },
  {
    id: 'faults',
    title: 'Faults',
    says: 'Failures to answer, or answers that could not be used',
    value: (row) => row.faults,
    text: (row) => String(row.faults),
    opens: 'faults',
  },
  {
    id: 'forfeits',
    title: 'Forfeits',
    says: 'Seats lost because it failed',
    value: (row) => row.forfeits,
    text: (row) => String(row.forfeits),
    opens: 'forfeited',
  },
  {
    id: 'cost',
    title: 'Cost / match',
    says: 'Dollars for a match, where prices are known',
    value: perMatch,
    text: (row) => orDash(perMatch(row), cost),
  },
  {
    id: 'value',
    title: 'Score / $',
    says: 'Mean score for a dollar',
    value: perDollar,
    text: (row) => orDash(perDollar(row), (value) => value.toPrecision(3)),
  },
  {
    id: 'tokens',
    title: 'Tokens / match',
    says: 'Tokens read and written for a match',
    value: tokens,
    text: (row) => orDash(tokens(row), count),
  },
  {
    id: 'seconds',
    title: 's / answer',
    says: 'Seconds from request to answer',
    value: perAnswer,
    text: (row) => orDash(perAnswer(row), (value) => value.toFixed(value < 10 ? 1 : 0)),
  },
];

const COSTS = new Set(['cost', 'value', 'tokens', 'seconds']);

/** Return the columns that say something: those of costs are left out if no row has any. */
export function columnsOf(rows: readonly LeaderboardRow[]): readonly Column[] {
  return COLUMNS.filter(({ id, value }) => !COSTS.has(id) || rows.some((row) => value(row) != null));
}

/** A column and whether its greatest values come first. `player` sorts by name. */
export interface Order {
  readonly by: string;
  readonly down: boolean;
}

/** Return the rows in an order; unknown values are last in either direction. */
export function sorted(rows: readonly LeaderboardRow[], { by, down }: Order): LeaderboardRow[] {
  const column = COLUMNS.find(({ id }) => id === by);
  const value = column ? column.value : (row: LeaderboardRow): string => row.player;
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x == null || y == null) return Number(x == null) - Number(y == null);
    const order = typeof x === 'string' || typeof y === 'string' ? String(x).localeCompare(String(y)) : x - y;
    return down ? -order : order;
  });
}

/** Return the order after a click on the head of a column: numbers begin with the greatest, names with A. */
export function clicked(order: Order, by: string): Order {
  return order.by === by ? { by, down: !order.down } : { by, down: by !== 'player' };
}

/** Return a rating like `1623 ± 80`, or `–`. */
export function ratingText(rating: Estimate): string {
  const known = whole(rating);
  return known ? `${known.mean.toFixed(0)} ± ${((known.high - known.low) / 2).toFixed(0)}` : DASH;
}

/** Return a score like `0.42 (0.31–0.55)`, or `–`; the interval is left out where the sample is too small. */
export function scoreText(score: Estimate): string {
  if (score.mean == null) return DASH;
  const known = whole(score);
  return known ? `${score.mean.toFixed(2)} (${known.low.toFixed(2)}–${known.high.toFixed(2)})` : score.mean.toFixed(2);
}

const KINDS: Record<string, string> = {
  bot: 'built in',
  llm: 'language model',
  human: 'people',
  remote: 'program',
};

/** Return the kind of a player in words. */
export function kindTitle(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** Return a list of names in words: `a, b and c`; of more than `most`, the rest as a number. */
export function listed(names: readonly string[], most = 6): string {
  const left = names.length - most;
  const parts = left > 1 ? [...names.slice(0, most), `${left} more`] : [...names];
  const last = parts.pop();
  return parts.length ? `${parts.join(', ')} and ${last ?? ''}` : (last ?? '');
}

/** Return a share like `97 %`; the ends are never rounded to certainty. */
export function chance(probability: number): string {
  if (probability > 0.995) return '> 99 %';
  return probability < 0.005 ? '< 1 %' : `${(probability * 100).toFixed(0)} %`;
}

/** Return an ordinal number: `1st`, `22nd`, `13th`. */
export function ordinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${n}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')}`;
}

/** Return the name of a measure for readers. */
export function measureTitle(name: string): string {
  return capital(name.replaceAll('_', ' '));
}

/** Return the ends of an axis that holds all the values, widened a little; [-1, 1] for none. */
export function span(values: readonly number[], share = 0.04): [number, number] {
  if (!values.length) return [-1, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = (high - low || Math.abs(high) || 1) * share;
  return [low - more, high + more];
}

/** Return what a mean score is of: `mean of 12 matches that count`. */
export function meanOf(matches: number): string {
  return matches === 1 ? 'of the one match that counts' : `mean of ${count(matches)} matches that count`;
}
