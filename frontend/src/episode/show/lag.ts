/** How far the picture of a live match is behind the match. Pure. */

import { stepAfter, timeAt } from '../record/steps';
import type { View } from '../view';

/** Seconds up to which a viewer sees a match live. */
export const LIVE_WITHIN = 3;

/**
 * Return the seconds by which a viewer who follows is behind at `now`, or null if that is not more than a moment: the
 * age of what has happened and is not yet pictured. `delay` is what the server holds every viewer back by.
 */
export function lagOf(view: View, now: number, delay = 0): number | null {
  const { following, late, landmarks, seq, store } = view;
  if (!following || !late) return null;
  const next = stepAfter(landmarks.steps, seq);
  if (next === undefined) return null;
  const lag = now - delay - timeAt(store.slots, next);
  return lag > LIVE_WITHIN ? lag : null;
}
