/** The name of the player of a seat, beside the name of the seat. */

import { plain } from '../lib/text';

/** The player of an imported match whose document names none. */
const UNNAMED = 'unnamed';

/** Return `player` as text, or '' if that says nothing beyond the name of its seat. */
export function playerName(player: string, seat: string): string {
  const name = plain(player, 60);
  return name === UNNAMED || name === plain(seat, 60) ? '' : name;
}
