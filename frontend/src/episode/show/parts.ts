/** Private batches: the private events of one decision, or of one round of press, have one number in common. */

import type { Event } from '../../types.gen';
import { coreData } from '../record/matchInfo';

/** The types of the events of a story and of its voice. They are told with the events they rest on, and are no steps. */
export const STORY_TYPES: ReadonlySet<string> = new Set([
  'FactNoted',
  'CommentAdded',
  'OutlookUpdated',
  'VoiceReady',
  'VoiceChanged',
]);

/** Return `event` itself or, for a batch, those of its parts that this viewer may know, as events with its number. */
export function parts(event: Event): readonly Event[] {
  const batch = coreData(event, 'PrivateBatch');
  if (!batch) return [event];
  const { events } = batch;
  return Array.isArray(events) ? events.map((part) => ({ ...event, ...part })) : [];
}
