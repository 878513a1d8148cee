/** The notes of a power's player for itself. */

import type { SeatNotes } from '../../game';
import type { GameEvent } from '../events.gen';

/** Return the notes that `event` records; null if it records none. */
export function notesOf(event: GameEvent): SeatNotes | null {
  if (event.type !== 'NotesTaken') return null;
  const { seat, turn, notes: text, trust, aims = [], left_out: leftOut = [] } = event.data;
  return { seat, turn, text, trust, aims, leftOut };
}
