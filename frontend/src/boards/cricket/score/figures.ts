/** The persons on the ground and their positions, for the next ball or the last one. */

import { keeperTo, PITCH, placeOf, type Place } from '../ground/places';
import type { State } from '../state';
import { playerOf, surname } from '../vocabulary';

export interface Figure {
  /** The same for the same person, at either end and in any position. */
  readonly key: string;
  readonly kind: 'fielder' | 'keeper' | 'bowler' | 'striker' | 'non-striker';
  readonly seat: string;
  /** '' if only the position is known. */
  readonly name: string;
  readonly position: string;
  readonly at: Place;
}

/** Return fielders, keeper, bowler and batters; empty if the field is not known. */
export function figures(state: State): Figure[] {
  const { striker, nonStriker, bowler, places, innings: number } = state.scene;
  const innings = state.innings.find((card) => card.number === number);
  if (!innings) return [];
  const figures: Figure[] = [];
  const add = (kind: Figure['kind'], seat: string, name: string, position: string, at: Place): void => {
    figures.push({ key: `${seat} ${name || position}`, kind, seat, name: name && surname(state, name), position, at });
  };
  const keeper = state.teams[innings.bowling]?.keeper ?? '';
  for (const [position, name] of Object.entries(places)) {
    const at = placeOf(position);
    // A bowler who has just been chosen is still at the position of the last field.
    if (at && name !== bowler && name !== keeper) add('fielder', innings.bowling, name, position, at);
  }
  if (figures.length) {
    add('keeper', innings.bowling, keeper, 'wicket-keeper', keeperTo(playerOf(state, bowler)?.style, state.now.preset));
    if (bowler) add('bowler', innings.bowling, bowler, 'bowler', { leg: -1.4, up: PITCH - 1.6 });
  }
  if (striker) add('striker', innings.batting, striker, 'on strike', { leg: -0.5, up: 1.1 });
  if (nonStriker) add('non-striker', innings.batting, nonStriker, 'not on strike', { leg: 3.2, up: PITCH - 1.2 });
  return figures;
}

/** Return 1 if the striker is right-handed and the leg side is on the bowler's right, else -1. */
export function mirror(state: State): 1 | -1 {
  return playerOf(state, state.scene.striker)?.hand === 'left' ? -1 : 1;
}
