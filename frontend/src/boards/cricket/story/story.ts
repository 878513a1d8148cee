/** The chapters, the curve and the valued decisions of a match for its story. */

import type { ChancesAt, DecisionValue } from '../../board';
import { callOf, momentOf } from '../score/chances';
import type { State } from '../state';
import { teamName } from '../vocabulary';

/** Return the over of a turn: `1st innings 4.3` -> `1st innings, over 5`. */
export function chapter(name: string): string {
  const [, part, innings, over] = /^(.*?)(\d\w\w innings) (\d+)\.\d+$/.exec(name) ?? [];
  return part === undefined || !innings || !over ? name : `${part}${innings}, over ${Number(over) + 1}`;
}

export function curve({ chances }: State): ChancesAt[] {
  return chances.map(({ seq, home }) => ({ about: seq, chances: { home, away: 1 - home } }));
}

/** Return the captains' decisions that departed from the natural one, with the change of the captain's chance. */
export function decisions(state: State): DecisionValue[] {
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
