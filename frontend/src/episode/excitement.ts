/** How exciting a live match is, by its story. Pure. */

import type { EpisodeSummary } from '../types.gen';

/**
 * Return how exciting a match is, from 0 to 1. It is below 0 where the story knows no chances of winning, as in a game
 * without a story of its own: such a match is chosen after all others.
 */
export function excitementOf({ outlook }: Pick<EpisodeSummary, 'outlook'>): number {
  if (!outlook) return 0;
  return Object.keys(outlook.chances).length ? outlook.excitement : outlook.excitement - 1;
}
