/** The last choice on this page, so that it can be repeated with one tap. It is lost with the page. */

import { SvelteMap } from 'svelte/reactivity';

import type { Arguments } from './captainView';

const last = new SvelteMap<string, Arguments>();

export function remember(episode: string, tool: string, values: Arguments): void {
  last.set(`${episode} ${tool}`, values);
}

/** Return the last arguments of `tool` in `episode`, or null. */
export function recall(episode: string, tool: string): Arguments | null {
  return last.get(`${episode} ${tool}`) ?? null;
}
