/** The tabs of a report, and their names in addresses. */

import type { Section } from '../types.gen';

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
