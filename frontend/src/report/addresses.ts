/** The tabs of a report with their names in addresses, and the addresses that its links lead to. */

import { matchHref, momentHref } from '../net/addresses';
import { rooted } from '../net/root';
import type { Link, Section } from '../types.gen';

export interface Tab {
  /** The name in an address: `head-to-head`. */
  readonly id: string;
  readonly title: string;
}

export const tabOf = (title: string): Tab => ({
  id: title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, ''),
  title,
});

/** Return the tabs of sections, in the order of their first ones. */
export function tabsOf(sections: readonly Section[]): Tab[] {
  return [...new Set(sections.map(({ tab }) => tab))].filter(Boolean).map(tabOf);
}

/** Return the address of a link; '' if it leads nowhere. */
export function hrefOf({ episode_id: id, seq, page }: Link): string {
  if (page) return rooted(page);
  if (!id) return '';
  return seq == null ? matchHref(id) : momentHref(id, seq);
}
