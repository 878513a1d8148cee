/** The parts of private batches: what was private in one decision, or in one round of press, has one number. */

import type { Board } from '../boards/board';
import type { Event } from '../types.gen';
import { coreData } from './matchInfo';

/** `event` itself; or, where it is a batch, each of its parts that this viewer may know, as events of its number. */
export function parts(event: Event): readonly Event[] {
  const batch = coreData(event, 'PrivateBatch');
  if (!batch) return [event];
  const { events } = batch;
  return Array.isArray(events) ? events.map((part) => ({ ...event, ...part })) : [];
}

/** Whether `event` is told but is no step of ←, → and playback. */
export function minor(board: Pick<Board, 'minor'>, event: Event): boolean {
  return parts(event).every(({ type }) => board.minor?.has(type));
}
