/** The board of Diplomacy. */

import type { EpisodeSummary } from '../../types.gen';
import type { Board } from '../board';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import { HEIGHT, WIDTH } from './map/drawing';
import type { Position } from './events.gen';
import { describe, markers } from './story/markers';
import { notesOf } from './story/notes';
import { promiseOutcome, promiseWords } from './story/promises';
import { unfold } from './pieces/conflicts';
import CentersChart from './panels/CentersChart.svelte';
import OrdersPanel from './panels/OrdersPanel.svelte';
import { chapter, turn } from './phases';
import OrderEditor from './play/OrderEditor.svelte';
import { look } from './powers';
import { reduce } from './reduce';
import { standing } from './standings';
import { advance, EMPTY, type State } from './state';
import { plainWords } from './story/orderText';

export const board: Board<State> = {
  initial: (_episode: EpisodeSummary, whole: unknown) => (whole === null ? EMPTY : advance(EMPTY, whole as Position)),
  reduce,
  markers,
  describe,
  seat: look,
  turn,
  chapter,
  unfold,
  standing,
  tally: ({ centers }, seat) => String(Object.values(centers).filter((owner) => owner === seat).length),
  ready: ({ ready }) => ready,
  minor: new Set(['OrdersSubmitted', 'PromiseKept', 'LieNoted']),
  promise: promiseOutcome,
  promiseWords,
  notes: notesOf,
  words: plainWords,
  score: (score) => (score > 1 ? String(Math.round(score)) : score.toFixed(2)),
  aspect: WIDTH / HEIGHT,
  component: BoardView,
  play: OrderEditor,
  panels: [
    { id: 'orders', title: 'Orders', component: OrdersPanel },
    { id: 'charts', title: 'Charts', component: CentersChart },
  ],
  card: Card,
};
