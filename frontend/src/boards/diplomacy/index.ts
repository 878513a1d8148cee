/** The board of Diplomacy. */

import type { Board } from '../board';
import BoardView from './Board.svelte';
import { board as light } from './light';
import CentersChart from './panels/CentersChart.svelte';
import OrdersPanel from './panels/OrdersPanel.svelte';
import { chapter } from './phases';
import OrderEditor from './play/OrderEditor.svelte';
import { standing } from './standings';
import type { State } from './state';
import { notesOf } from './story/notes';
import { promiseWords } from './story/promises';

export const board: Board<State> = {
  ...light,
  chapter,
  standing,
  ready: ({ ready }) => ready,
  promiseWords,
  notes: notesOf,
  component: BoardView,
  play: OrderEditor,
  panels: [
    { id: 'orders', title: 'Orders', component: OrdersPanel },
    { id: 'charts', title: 'Charts', component: CentersChart },
  ],
};
