/** The curve and the valued decisions of a match for its story. */

import type { Curve, DecisionValue } from '../../game';
import { callOf, momentOf } from '../score/chances';
import type { State } from '../state';
import { teamName } from '../vocabulary';

/** Return the chances of winning that balls state, and the decisions that the game values. */
export const curve = (state: State): Curve => ({
  chances: state.chances.map(({ seq, home }) => ({ about: seq, chances: { home, away: 1 - home } })),
  decisions: decisions(state),
});

/** Return the captains' decisions that departed from the natural one, with the change of the captain's chance. */
function decisions(state: State): DecisionValue[] {
  return state.chances.flatMap((chance) =>
    chance.decisions
      .filter(({ choice }) => Object.keys(choice).length)
      .map((decision) => ({
        seq: chance.seq,
        seat: decision.seat,
        text: `${teamName(state, decision.seat)}: ${callOf(decision)} (${momentOf(state, chance)})`,
        value: decision.delta,
      })),
  );
}
