/** The last key moment of a match. Pure. */

import { coreData } from '../episode/record/matchInfo';
import type { Slot } from '../episode/record/store';

/** The importance from which a fact is a key moment. */
export const KEY = 0.5;
/** Number of events of a replay at most. */
const LONGEST = 400;

export interface KeyMoment {
  /** The start of the turn, and the last event that the fact rests on. */
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** Return the last fact of importance up to `seq` with the events of its turn that show it, or null. */
export function keyMoment(slots: readonly Slot[], seq: number): KeyMoment | null {
  for (let at = seq; at >= 0; at--) {
    const slot = slots[at];
    const fact = slot && coreData(slot, 'FactNoted');
    if (!fact || fact.importance < KEY) continue;
    const last = Math.min(at, Math.max(0, ...fact.rests_on));
    return { first: Math.max(turnStart(slots, last), last - LONGEST), last, text: fact.text };
  }
  return null;
}

/** Return the number of the event with which the turn of `seq` began, or 0. */
function turnStart(slots: readonly Slot[], seq: number): number {
  for (let at = seq; at > 0; at--) if (slots[at]?.type === 'TurnStarted') return at;
  return 0;
}
