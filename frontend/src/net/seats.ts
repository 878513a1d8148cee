/**
 * The seats that were taken in this browser, with their tokens, so that a closed tab does not lose a seat. Kept in local
 * storage per server and match until the match ends or the seat is left, and sent nowhere but in headers.
 */

import { rooted } from './root';
import { keepToken, token } from './token';

export interface KeptSeat {
  readonly seat: string;
  /** Null if the seat was taken by an operator, who needs no token for it. */
  readonly token: string | null;
}

/** The most matches whose seats are kept; older ones are dropped. */
const MOST = 20;
const KEY = `seats ${rooted('/')}`;

type Kept = Readonly<Record<string, KeptSeat>>;

function read(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') ?? {}) as Kept;
  } catch {
    return {}; // Storage is forbidden, or holds something else.
  }
}

function write(seats: readonly (readonly [string, KeptSeat])[]): void {
  try {
    if (seats.length) localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(seats.slice(-MOST))));
    else localStorage.removeItem(KEY);
  } catch {
    // If storage is forbidden, the seat is lost when the tab is closed.
  }
}

const others = (id: string): [string, KeptSeat][] => Object.entries(read()).filter(([other]) => other !== id);

/** Return the seat of the match that was taken in this browser, or null. */
export const keptSeat = (id: string): KeptSeat | null => read()[id] ?? null;

export const keepSeat = (id: string, seat: string, secret: string | null): void =>
  write([...others(id), [id, { seat, token: secret }]]);

export const forgetSeat = (id: string): void => {
  if (keptSeat(id)) write(others(id));
};

/** Sign this tab in to the seat that its address is about, if that seat was taken in this browser. */
export function restoreSeat(id: string, as: string): void {
  const kept = keptSeat(id);
  if (kept && as === `seat:${kept.seat}` && kept.token !== null && token() === null) keepToken(kept.token);
}
