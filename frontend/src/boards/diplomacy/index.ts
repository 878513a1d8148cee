/** The board of Diplomacy. */

import type { Board } from '../board';
import BoardView from './Board.svelte';
import { game } from './game';
import Charts from './panels/Charts.svelte';
import OrdersPanel from './panels/OrdersPanel.svelte';
import OrderEditor from './play/OrderEditor.svelte';
import type { State } from './state';

export const board: Board<State> = {
  ...game,
  view: BoardView,
  play: OrderEditor,
  panels: [
    { id: 'orders', title: 'Orders', component: OrdersPanel },
    { id: 'charts', title: 'Charts', component: Charts },
  ],
};
