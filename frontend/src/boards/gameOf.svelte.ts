/** The games that are here. */

import { SvelteMap } from 'svelte/reactivity';

import type { Game } from './game';
import { loadGame } from './registry';

const loaded = new SvelteMap<string, Game>();
const asked: Record<string, boolean> = {};

/** Return a game if it is here. Else it is fetched, and whoever has read this is told when it comes. */
export function gameOf(name: string): Game | undefined {
  if (name && !asked[name]) {
    asked[name] = true;
    loadGame(name).then(
      (game) => loaded.set(name, game),
      () => (asked[name] = false),
    );
  }
  return loaded.get(name);
}
