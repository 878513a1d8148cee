/** The appearance of the two sides. */

import { PLAIN, type Names, type SeatLook } from '../game';
import { turn } from './story/tell';
import { teamName, teamShort } from './vocabulary';
import { EMPTY, type State } from './state';

interface Side {
  /** On the page's background. */
  readonly strong: string;
  /** The shirts, on grass. */
  readonly kit: string;
}

const HOME: Side = { strong: 'light-dark(#1c539c, #8ebcf7)', kit: '#2459b2' };
const AWAY: Side = { strong: 'light-dark(#a3440c, #f5a262)', kit: '#b84c0e' };

const side = (seat: string): Side => (seat === 'away' ? AWAY : HOME);

export const strong = (seat: string): string => side(seat).strong;
export const kit = (seat: string): string => side(seat).kit;

/** Return the appearance of a side. `state` contains its name; without it, the sides are Home and Away. */
export function look(seat: string, state: State = EMPTY): SeatLook {
  return { name: teamName(state, seat), short: teamShort(state, seat), colour: strong(seat) };
}

/** Return the names of the match; without `state`, the sides are Home and Away. */
export const namesOf = (state?: State): Names => ({
  seat: (seat) => look(seat, state),
  turn,
  ...PLAIN,
  plural: true,
});
