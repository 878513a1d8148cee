/** The light boards that are here. */

import { SvelteMap } from 'svelte/reactivity';

import type { LightBoard } from './board';
import { loadLightBoard } from './registry';

const loaded = new SvelteMap<string, LightBoard>();
const asked: Record<string, boolean> = {};

/** Return the light board of a game if it is here. Else it is fetched, and whoever has read this is told when it comes. */
export function gameOf(name: string): LightBoard | undefined {
  if (name && !asked[name]) {
    asked[name] = true;
    loadLightBoard(name).then(
      (board) => loaded.set(name, board),
      () => (asked[name] = false),
    );
  }
  return loaded.get(name);
}
