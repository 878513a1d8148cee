/** The chances of winning over a match. */

import type { Board, ChancesAt } from '../boards/board';
import type { View } from './watch.svelte';

/** Return the chances up to the moment told: of the story or, in older records, of the board; empty if none are known. */
export function curveOf(board: Board, view: Pick<View, 'story' | 'told'>): readonly ChancesAt[] {
  const { told, story } = view;
  if (!told) return [];
  const stated = story.prospects.filter(({ about, chances }) => about <= told.seq && Object.keys(chances).length);
  return stated.length ? stated : (board.curve?.(told.board) ?? []);
}
