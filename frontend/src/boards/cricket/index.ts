/** The board of cricket. */

import type { EpisodeSummary } from '../../types.gen';
import type { Board } from '../board';
import { adopt } from './fromSnapshot';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import type { PublicState } from './events.gen';
import { markers } from './story/markers';
import Captains from './panels/Captains.svelte';
import Charts from './panels/Charts.svelte';
import Commentary from './panels/Commentary.svelte';
import Scorecard from './panels/Scorecard.svelte';
import CaptainControls from './play/CaptainControls.svelte';
import { reduce } from './reduce';
import { look } from './sides';
import { EMPTY, type State } from './state';
import { sentence, strip, tally, turn } from './story/tell';
import { chapter, curve, decisions } from './story/story';
import { unfold } from './story/unfold';

export const board: Board<State> = {
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
  chapter,
  curve,
  decisions,
  press: () => false,
  aspect: 1.1,
  component: BoardView,
  play: CaptainControls,
  panels: [
    { id: 'scorecard', title: 'Scorecard', component: Scorecard },
    { id: 'charts', title: 'Charts', component: Charts },
    { id: 'commentary', title: 'Balls', component: Commentary },
    { id: 'captains', title: 'Captains', component: Captains },
  ],
  card: Card,
};
