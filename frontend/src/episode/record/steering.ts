/** The current settings of a running match, folded from its public ControlChanged events. */

import { coreData } from './matchInfo';
import type { Event } from '../../types.gen';

export interface Steering {
  /** Seconds between turns; null before it is known. */
  readonly pace: number | null;
  readonly paused: boolean;
  /** Number of turns after which the match stops; null if there is no limit. */
  readonly turns: number | null;
  /** Seats that a person has taken over from their players. */
  readonly taken: readonly string[];
  /** Seats whose person has left, so that a built-in player acts. */
  readonly left: readonly string[];
  /** The user who made the person leave each of these seats; `absence` if turns were missed. */
  readonly leftBy: Readonly<Record<string, string>>;
  readonly stopping: boolean;
}

export const UNSTEERED: Steering = {
  pace: null,
  paused: false,
  turns: null,
  taken: [],
  left: [],
  leftBy: {},
  stopping: false,
};

export function steer(steering: Steering, event: Event): Steering {
  const change = coreData(event, 'ControlChanged');
  if (!change) return steering;
  const { command, value, by } = change;
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
      if (steering.left.includes(String(value)))
        return { ...steering, left: steering.left.filter((seat) => seat !== value) };
      return { ...steering, taken: [...steering.taken.filter((seat) => seat !== value), String(value)] };
    case 'leave':
    case 'hand_back': {
      const began = command === 'leave' && !steering.taken.includes(String(value));
      return {
        ...steering,
        taken: steering.taken.filter((seat) => seat !== value),
        left: began ? [...steering.left.filter((seat) => seat !== value), String(value)] : steering.left,
        leftBy: { ...steering.leftBy, [String(value)]: by },
      };
    }
    case 'stop':
      return { ...steering, stopping: true };
    default:
      return steering;
  }
}
