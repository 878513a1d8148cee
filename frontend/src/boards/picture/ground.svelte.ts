/** The grounds of games: the places that are the same in all pictures of a game. */

import { SvelteMap } from 'svelte/reactivity';

import { get } from '../../net/api';
import type { Place } from './picture.gen';

const loaded = new SvelteMap<string, readonly Place[]>();
const asked: Record<string, boolean> = {};

/** Return the ground of a game if it is here. Else it is fetched, and whoever has read this is told when it comes. */
export function groundOf(game: string): readonly Place[] | undefined {
  if (!asked[game]) {
    asked[game] = true;
    get<Place[]>(`/api/games/${encodeURIComponent(game)}/ground`).then(
      (places) => loaded.set(game, places),
      () => (asked[game] = false),
    );
  }
  return loaded.get(game);
}
