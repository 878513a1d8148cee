/** Counts, costs and actions in a form that operators can read. */

import type { Usage } from '../types.gen';
import { plain } from './text';
import { isRecord } from './json';
import { agree } from './say';

const LONGEST = 160;

/** Return a count like 950, `1.9k` or `2.4M`. */
export function count(n: number): string {
  if (n < 1000) return String(Math.round(n));
  return n < 999_950 ? `${(n / 1000).toFixed(1)}k` : `${(n / 1e6).toFixed(1)}M`;
}

/** Return a cost like `$0.04`. A cost below a cent has two significant digits; an unknown cost is `–`. */
export function cost(dollars: number | null | undefined): string {
  if (dollars == null) return '–';
  return `$${dollars > 0 && dollars < 0.01 ? dollars.toPrecision(2) : dollars.toFixed(2)}`;
}

/** Return a usage like `31 calls · 12.3k tokens · $0.04`, or '' if there is none. */
export function spent(usage: Usage): string {
  if (!usage.calls) return '';
  const parts = [
    `${count(usage.calls)} ${agree(usage.calls, 'call')}`,
    `${usage.estimated ? '≈' : ''}${count(usage.tokens_in + usage.tokens_out)} tokens`,
  ];
  if (usage.dollars != null) parts.push(cost(usage.dollars));
  return parts.join(' · ');
}

/** Return an action of any game, one line per part: `A PAR - BUR`, `bowl_delivery: length full, line off`. */
export function deeds(action: Record<string, unknown>): string[] {
  const lines = Object.entries(action).flatMap(([name, value]): string[] => {
    if (name === 'tool') return [`${written(value)}${detail(action['arguments'])}`];
    if (name === 'arguments' && 'tool' in action) return [];
    if (Array.isArray(value)) return value.length ? value.map(written) : [`no ${name}`];
    return [`${name}: ${written(value)}`];
  });
  return lines.map((line) => plain(line, LONGEST));
}

function detail(values: unknown): string {
  const parts = isRecord(values) ? Object.entries(values).map(([name, value]) => `${name} ${written(value)}`) : [];
  return parts.length ? `: ${parts.join(', ')}` : '';
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
