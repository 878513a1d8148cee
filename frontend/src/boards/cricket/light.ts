/** What cards and lists need of the board of cricket. */

import type { EpisodeSummary } from '../../types.gen';
import type { LightBoard } from '../board';
import Card from './Card.svelte';
import type { PublicState } from './events.gen';
import { adopt } from './fromSnapshot';
import { reduce } from './reduce';
import { look } from './sides';
import { EMPTY, type State } from './state';
import { markers } from './story/markers';
import { sentence, strip, tally, turn } from './story/tell';
import { unfold } from './story/unfold';

export const board: LightBoard<State> = {
  initial: (_episode: EpisodeSummary, whole: unknown) => (whole === null ? EMPTY : adopt(EMPTY, whole as PublicState)),
  reduce,
  markers,
  describe: sentence,
  minor: new Set([
    'TurnStarted',
    'ActionChosen',
    'BatterArrived',
    'BowlerChosen',
    'FieldSet',
    'OverPlanned',
    'SituationAnalyzed',
  ]),
  seat: look,
  sides: true,
  turn,
  tally,
  strip,
  score: (score) => score.toFixed(2),
  unfold,
  press: () => false,
  aspect: 1.1,
  card: Card,
};
