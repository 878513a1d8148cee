/** The current settings of a running match, folded from its public ControlChanged events. */

import { coreData } from './matchInfo';
import type { Event } from '../types.gen';

export interface Steering {
  /** Seconds between turns; null before it is known. */
  readonly pace: number | null;
  readonly paused: boolean;
  /** Number of turns after which the match stops; null if there is no limit. */
  readonly turns: number | null;
  /** Seats that a person has taken over from their players. */
  readonly taken: readonly string[];
  readonly stopping: boolean;
}

export const UNSTEERED: Steering = { pace: null, paused: false, turns: null, taken: [], stopping: false };

export function steer(steering: Steering, event: Event): Steering {
  const change = coreData(event, 'ControlChanged');
  if (!change) return steering;
  const { command, value } = change;
  switch (command) {
    case 'pause':
    case 'resume':
      return { ...steering, paused: command === 'pause' };
    case 'pace':
      return { ...steering, pace: Number(value) };
    case 'turns':
    case 'extend':
      return { ...steering, turns: Number(value) };
    case 'take_over':
      return { ...steering, taken: [...steering.taken.filter((seat) => seat !== value), String(value)] };
    case 'hand_back':
      return { ...steering, taken: steering.taken.filter((seat) => seat !== value) };
    case 'stop':
      return { ...steering, stopping: true };
    default:
      return steering;
  }
}
