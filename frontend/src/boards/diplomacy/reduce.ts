/** The effect of the game's events on the board's state. */

import { share } from '../../lib/immutable';
import { liesAfter } from './lies/lies';
import type { GameEvent, OrdersResolved } from './events.gen';
import { readOrder, type Played } from './orders';
import { pactsAfter } from './pacts';
import { taskWords } from './story/tactic';
import { advance, play, record, yearOf, type State } from './state';

export function reduce(state: State, event: GameEvent): State {
  const next = reduced(state, event);
  const known = liesAfter(state.known, event);
  const pacts = share(state.pacts, pactsAfter(state.pacts, event));
  return known === next.known && pacts === next.pacts ? next : { ...next, known, pacts };
}

function reduced(state: State, event: GameEvent): State {
  switch (event.type) {
    case 'PhaseAdvanced':
      return advance(state, event.data.state);
    case 'OrdersSubmitted':
      return state.ready.includes(event.data.seat) ? state : { ...state, ready: [...state.ready, event.data.seat] };
    case 'OrdersResolved':
      return play(state, readOrders(event.data));
    case 'CentersChanged': {
      const { phase, captured, counts } = event.data;
      const taken = Object.fromEntries(captured.map(({ center, to }) => [center, to]));
      return {
        ...state,
        centers: share(state.centers, { ...state.centers, ...taken }),
        history: record(state.history, yearOf(phase), counts),
      };
    }
    case 'PowerEliminated':
      return { ...state, eliminated: { ...state.eliminated, [event.data.power]: event.data.phase } };
    case 'DrawVoted': {
      const others = state.votes.filter((power) => power !== event.data.seat);
      return { ...state, votes: event.data.vote === 'draw' ? [...others, event.data.seat] : others };
    }
    case 'TacticSet':
      return { ...state, task: taskWords(event.data) };
    default:
      return state;
  }
}

export function readOrders({ phase, orders }: OrdersResolved): Played {
  return {
    phase,
    orders: Object.entries(orders).flatMap(([power, list]) => list.map((order) => readOrder(power, order))),
  };
}
