/** The board of cricket. */

import type { Board } from '../board';
import BoardView from './Board.svelte';
import { game } from './game';
import Captains from './panels/Captains.svelte';
import Charts from './panels/Charts.svelte';
import Commentary from './panels/Commentary.svelte';
import Scorecard from './panels/Scorecard.svelte';
import CaptainControls from './play/CaptainControls.svelte';
import type { State } from './state';
import { curve } from './story/story';

export const board: Board<State> = {
  ...game,
  curve,
  view: BoardView,
  play: CaptainControls,
  panels: [
    { id: 'scorecard', title: 'Scorecard', component: Scorecard },
    { id: 'charts', title: 'Charts', component: Charts },
    { id: 'commentary', title: 'Balls', component: Commentary },
    { id: 'captains', title: 'Captains', component: Captains },
  ],
};
