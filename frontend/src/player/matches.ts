/** The matches of a player that a figure stands for. Pure. */

import type { PlayerMatch } from '../types.gen';
import { many } from '../lib/say';

export interface Filter {
  readonly id: string;
  readonly title: string;
  readonly holds: (match: PlayerMatch) => boolean;
}

export const FILTERS: readonly Filter[] = [
  { id: 'all', title: 'All', holds: () => true },
  { id: 'won', title: 'Won', holds: ({ won }) => won },
  { id: 'counted', title: 'Counted', holds: ({ counted }) => counted },
  { id: 'uncounted', title: 'Not counted', holds: ({ counted }) => !counted },
  { id: 'faults', title: 'With faults', holds: ({ faults }) => faults > 0 },
  { id: 'fallbacks', title: 'With fallbacks', holds: ({ fallbacks }) => fallbacks > 0 },
  { id: 'forfeited', title: 'Forfeited', holds: ({ forfeited }) => forfeited },
];

const AGAINST = 'against:';

/** Return the filter for the matches against a player. */
export const against = (name: string): string => `${AGAINST}${name}`;

/** Return the filter with an id; the one for all matches if there is none. */
export function filterOf(id: string): Filter {
  if (id.startsWith(AGAINST)) {
    const name = id.slice(AGAINST.length);
    return { id, title: `Against ${name}`, holds: ({ opponents }) => opponents.includes(name) };
  }
  const [all] = FILTERS;
  return FILTERS.find((filter) => filter.id === id) ?? (all as Filter);
}

/** Return the filters that have matches, the current one always. */
export function filtersFor(matches: readonly PlayerMatch[], current: Filter): Filter[] {
  const some = FILTERS.filter((filter) => filter.id === current.id || matches.some(filter.holds));
  return some.some(({ id }) => id === current.id) ? some : [...some, current];
}

/** Return why a match does not count for the player, or '' if it does. */
export function whyNot({ counted, forfeited, fallbacks, assisted }: PlayerMatch): string {
  if (forfeited) return 'forfeited';
  if (counted) return '';
  if (fallbacks) return `not counted: its fallback made ${many(fallbacks, 'decision')}`;
  if (assisted) return 'not counted: another player decided for it';
  return 'not counted: it made no decision';
}
