/** Detects that the fallback made a seat's last decision because the clock had run out. Pure. */

import { coreData } from '../../episode/record/matchInfo';
import type { Event } from '../../types.gen';

export interface Expiry {
  /** The current turn. */
  readonly turn: string;
  /** The turn in which the seat's clock ran out; '' if its last decision was its own. */
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
