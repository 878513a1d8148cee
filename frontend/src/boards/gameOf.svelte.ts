/** The boards that are here. */

import { SvelteMap } from 'svelte/reactivity';

import type { Board } from './board';
import { loadBoard } from './registry';

const loaded = new SvelteMap<string, Board>();
const asked: Record<string, boolean> = {};

/** Return the board of a game if it is here. Else it is fetched, and whoever has read this is told when it comes. */
export function gameOf(name: string): Board | undefined {
  if (name && !asked[name]) {
    asked[name] = true;
    loadBoard(name).then(
      (board) => loaded.set(name, board),
      () => (asked[name] = false),
    );
  }
  return loaded.get(name);
}
