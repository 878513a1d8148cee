/** Whether the last turn of a seat was decided by its stand-in because the clock had run out. Pure. */

import { coreData } from '../../episode/matchInfo';
import type { Event } from '../../types.gen';

export interface Expiry {
  /** The turn that is played. */
  readonly turn: string;
  /** The turn in which the seat's clock ran out; '' where its last choice was its own. */
  readonly missed: string;
}

export const IN_TIME: Expiry = { turn: '', missed: '' };

export function expire(seat: string): (expiry: Expiry, event: Event) => Expiry {
  return (expiry, event) => {
    const began = coreData(event, 'TurnStarted');
    if (began) return { ...expiry, turn: began.turn };
    const fault = coreData(event, 'PlayerFault');
    if (fault?.seat === seat && fault.boundary === 'timeout') return { ...expiry, missed: expiry.turn };
    const choice = coreData(event, 'ActionChosen');
    if (choice?.seat === seat && choice.source !== 'fallback') return { ...expiry, missed: '' };
    return expiry;
  };
}
