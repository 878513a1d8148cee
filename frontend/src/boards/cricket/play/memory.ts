/** What was chosen last at this page, to choose it again with one tap. It lives as long as the page. */

import { SvelteMap } from 'svelte/reactivity';

import type { Arguments } from './captainView';

const last = new SvelteMap<string, Arguments>();

export function remember(episode: string, tool: string, given: Arguments): void {
  last.set(`${episode} ${tool}`, given);
}

/** Null where `tool` has not been called in `episode` from here. */
export function recall(episode: string, tool: string): Arguments | null {
  return last.get(`${episode} ${tool}`) ?? null;
}
