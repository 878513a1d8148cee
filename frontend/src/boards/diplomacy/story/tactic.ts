/** The task of a tactic. */

import type { TacticSet } from '../events.gen';
import { powerName } from '../powers';

/** `France to play: Take Munich.` */
export function taskWords({ seat, task }: Pick<TacticSet, 'seat' | 'task'>): string {
  return `${powerName(seat)} to play: ${task}`;
}
