/** The notes of seats at a moment. */

import type { Board, SeatNotes } from '../../boards/board';
import { parts } from '../show/parts';
import type { Slot } from '../record/store';

/** The latest notes of each seat at `seq`, as far as this viewer may know them, in the order of `seats`. */
export function latestNotes(
  board: Pick<Board, 'notes'>,
  slots: readonly Slot[],
  seq: number,
  seats: readonly string[],
): SeatNotes[] {
  const latest = new Map<string, SeatNotes>();
  if (!board.notes) return [];
  for (let at = seq; at >= 0 && latest.size < seats.length; at--) {
    const event = slots[at];
    for (const part of event ? parts(event).toReversed() : []) {
      const notes = board.notes(part);
      if (notes && !latest.has(notes.seat)) latest.set(notes.seat, notes);
    }
  }
  return seats.flatMap((seat) => latest.get(seat) ?? []);
}
