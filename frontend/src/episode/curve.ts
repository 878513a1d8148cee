/** The chances of winning over a match. */

import type { ChancesAt, Game } from '../boards/game';
import type { View } from './watch.svelte';

/** Return the chances up to the moment told: of the story or, in older records, of the game; empty if none are known. */
export function curveOf(game: Game, view: Pick<View, 'story' | 'narrated'>): readonly ChancesAt[] {
  const { narrated, story } = view;
  if (!narrated) return [];
  const stated = story.prospects.filter(({ about, chances }) => about <= narrated.seq && Object.keys(chances).length);
  return stated.length ? stated : (game.curve?.(narrated.board).chances ?? []);
}
