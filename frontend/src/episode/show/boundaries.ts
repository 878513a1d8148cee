/** The boundary of a fault: which part of the system caused it. */

import { capital } from '../../lib/text';
import type { PlayerFault } from '../../types.gen';

export type Boundary = PlayerFault['boundary'];

const CAUSES: Record<Boundary, string> = {
  rules: 'it broke the rules',
  provider: "its model's provider failed",
  timeout: 'it ran out of time',
  player: 'its answer could not be used',
  budget: 'its budget is spent',
  ours: 'an error in Grandstand',
};

/** Return the cause of a fault in words, to be used within a sentence; null if this page does not know `boundary`. */
export function cause(boundary: string): string | null {
  return Object.hasOwn(CAUSES, boundary) ? CAUSES[boundary as Boundary] : null;
}

/** Return the cause of a fault in words, with a capital letter; null if this page does not know `boundary`. */
export function causeTitle(boundary: string): string | null {
  const text = cause(boundary);
  return text === null ? null : capital(text);
}
