/** The colours of players. */

import { hue } from '../../lib/chart/hue';
import type { Tournament } from './state';

/** Return the colour of a player. */
export function colour({ entrants }: Tournament, player: string): string {
  return hue(Math.max(0, entrants.indexOf(player)));
}
