/** The games whose code has been loaded. */

import { SvelteMap } from 'svelte/reactivity';

import type { Game } from './game';
import { loadGame } from './registry';

const loaded = new SvelteMap<string, Game>();
const asked: Record<string, boolean> = {};

/** Return a game if it is loaded. Otherwise load it; a component that has read this is updated when it arrives. */
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
