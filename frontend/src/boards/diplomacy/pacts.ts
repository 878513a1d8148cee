/** The pacts that this viewer may know, from their events, and what of them the map shows. */

import type { GameEvent, PactOffered } from './events.gen';
import type { PlayedOrder } from './orders';
import type { State } from './state';
import { readText } from './story/notation';

export type Standing = 'open' | 'accepted' | 'kept' | 'broken';

/** An offer that waits for answers, a pact in force, or one that the last orders decided. */
export interface Pact extends PactOffered {
  readonly standing: Standing;
  /** The parties that have accepted it. */
  readonly accepted: readonly string[];
}

/** What the map shows of a pact: its orders for one phase, and the places that stay empty. */
export interface DrawnPact {
  readonly pact: string;
  readonly standing: Standing;
  readonly orders: readonly PlayedOrder[];
  readonly zones: readonly string[];
}

type Pacts = readonly Pact[];

/** Return the pacts after an event of the game. */
export function pactsAfter(pacts: Pacts, event: GameEvent): Pacts {
  switch (event.type) {
    case 'PactOffered':
      return [...without(pacts, event.data.counters ?? ''), { ...event.data, standing: 'open', accepted: [] }];
    case 'PactAccepted': {
      const { pact, power } = event.data;
      return changed(pacts, pact, (one) => {
        const accepted = [...one.accepted, power];
        return { ...one, accepted, standing: waiting({ ...one, accepted }).length ? 'open' : 'accepted' };
      });
    }
    case 'PactRefused':
      return without(pacts, event.data.pact);
    case 'PactKept':
      return changed(pacts, event.data.pact, (one) => ({ ...one, standing: 'kept' }));
    case 'PactBroken':
      return changed(pacts, event.data.pact, (one) => ({ ...one, standing: 'broken' }));
    case 'OrdersResolved':
      return event.data.phase.endsWith('M') ? pacts.filter(({ standing }) => standing === 'accepted') : pacts;
    case 'PhaseAdvanced':
      return pacts.filter(({ standing }) => standing !== 'open');
    default:
      return pacts;
  }
}

const without = (pacts: Pacts, name: string): Pacts => pacts.filter(({ pact }) => pact !== name);

const changed = (pacts: Pacts, name: string, change: (pact: Pact) => Pact): Pacts =>
  pacts.map((one) => (one.pact === name ? change(one) : one));

/** Return the parties that have to answer an open offer. */
export const waiting = ({ standing, power, parties, accepted }: Pact): string[] =>
  standing === 'open' ? parties.filter((party) => party !== power && !accepted.includes(party)) : [];

/**
 * Return what the map shows: the offers and pacts of the phase to come, and until there are orders among them, those that
 * the last orders kept or broke.
 */
export function drawnPacts({ pacts, phase, season }: Pick<State, 'pacts' | 'phase' | 'season'>): DrawnPact[] {
  const last = season[0]?.phase ?? '';
  const shown = pacts.map(({ pact, standing, terms, zones }) => {
    const over = standing === 'kept' || standing === 'broken';
    const due = terms.filter(({ turn }) => turn === (over ? last : phase));
    return { pact, standing, zones, over, orders: due.map(({ power, order }) => readText(power, order)) };
  });
  const begun = shown.some(({ over, orders }) => !over && orders.length);
  return shown.filter(({ over, orders, zones }) => !(over && begun) && (orders.length || zones.length));
}
