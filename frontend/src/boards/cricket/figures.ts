/** Who stands on the ground, and where, for the ball about to be bowled or just bowled. */

import { keeperTo, PITCH, placeOf, type Place } from './places';
import type { State } from './state';
import { playerOf, surname } from './vocabulary';

export interface Figure {
  /** The same person has the same one, at either end and in any place. */
  readonly key: string;
  readonly kind: 'fielder' | 'keeper' | 'bowler' | 'striker' | 'non-striker';
  readonly seat: string;
  /** '' where only the position is known. */
  readonly name: string;
  readonly position: string;
  readonly at: Place;
}

/** Fielders, keeper, bowler and batters. Empty where nothing of the field is known. */
export function figures(state: State): Figure[] {
  const { striker, nonStriker, bowler, places, innings: number } = state.scene;
  const innings = state.innings.find((one) => one.number === number);
  if (!innings) return [];
  const found: Figure[] = [];
  const add = (kind: Figure['kind'], seat: string, name: string, position: string, at: Place): void => {
    found.push({ key: `${seat} ${name || position}`, kind, seat, name: name && surname(state, name), position, at });
  };
  const keeper = state.teams[innings.bowling]?.keeper ?? '';
  for (const [position, name] of Object.entries(places)) {
    const at = placeOf(position);
    // Who has just been given the ball still stands in the field as it was set before.
    if (at && name !== bowler && name !== keeper) add('fielder', innings.bowling, name, position, at);
  }
  if (found.length) {
    add('keeper', innings.bowling, keeper, 'wicket-keeper', keeperTo(playerOf(state, bowler)?.style));
    if (bowler) add('bowler', innings.bowling, bowler, 'bowler', { leg: -1.4, up: PITCH - 1.6 });
  }
  if (striker) add('striker', innings.batting, striker, 'on strike', { leg: -0.5, up: 1.1 });
  if (nonStriker) add('non-striker', innings.batting, nonStriker, 'not on strike', { leg: 3.2, up: PITCH - 1.2 });
  return found;
}

/** 1 where the striker is right-handed and the leg side to the right as the bowler looks, else -1. */
export function mirror(state: State): 1 | -1 {
  return playerOf(state, state.scene.striker)?.hand === 'left' ? -1 : 1;
}
