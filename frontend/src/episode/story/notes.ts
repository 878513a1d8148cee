/** The notes of seats at a moment. */

import type { SeatNotes, Told } from '../../boards/game';

/** The latest notes of each seat at `seq`, as far as this viewer may know them, in the order of `seats`. */
export function latestNotes(
  told: (seq: number) => readonly Told[],
  seq: number,
  seats: readonly string[],
): SeatNotes[] {
  const latest = new Map<string, SeatNotes>();
  for (let at = seq; at >= 0 && latest.size < seats.length; at--)
    for (const { notes } of told(at).toReversed()) if (notes && !latest.has(notes.seat)) latest.set(notes.seat, notes);
  return seats.flatMap((seat) => latest.get(seat) ?? []);
}
