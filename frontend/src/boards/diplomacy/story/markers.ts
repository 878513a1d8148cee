/** The game's events in words: marks for the timeline, sentences for the log and for screen readers. */

import type { OutcomeData } from '../../../types.gen';
import type { Marker } from '../../game';
import type { Capture, GameEvent } from '../events.gen';
import { destroyed, done, type Played } from '../orders';
import { phaseTitle } from '../phases';
import { powerName } from '../powers';
import { answerWords, brokenWords, keptWords, offerWords } from './pacts';
import { lieWords, verdictWords } from './promises';
import { readOrders } from '../reduce';
import { taskWords } from './tactic';
import { attackerOf, kindName, placeName, plainWords } from './orderText';
import { listed } from '../../../lib/say';

export function markers(event: GameEvent): Marker[] {
  switch (event.type) {
    case 'EpisodeEnded':
      return ending(event.data.outcome);
    case 'OrdersResolved':
      return beaten(readOrders(event.data)).map(({ label, seat, lost }) => ({
        kind: 'dislodgement',
        label,
        seat,
        weight: lost ? 2 : 1,
      }));
    case 'PromiseBroken':
      return [{ kind: 'betrayal', label: verdictWords(event.data, false), seat: event.data.power, weight: 2 }];
    case 'PactBroken':
      // An order that breaks a pact breaks a promise as well, which has a mark of its own.
      return event.data.term.startsWith('ZONE')
        ? [{ kind: 'betrayal', label: brokenWords(event.data), seat: event.data.power, weight: 2 }]
        : [];
    case 'CentersChanged':
      return event.data.captured.map((capture) => ({
        kind: 'capture',
        label: captures([capture]),
        seat: capture.to,
        weight: capture.from ? 2 : 1,
      }));
    case 'PowerEliminated': {
      const { power } = event.data;
      return [{ kind: 'elimination', label: `${powerName(power)} is eliminated`, seat: power, weight: 2 }];
    }
    default:
      return [];
  }
}

function ending(outcome: OutcomeData | null | undefined): Marker[] {
  if (!outcome) return [];
  const [winner, ...others] = outcome.winners;
  const seat = winner && others.length === 0 ? { seat: winner } : {};
  return [{ kind: 'win', label: plainWords(outcome.text), weight: 3, ...seat }];
}

/** Return the units that a phase dislodged: `Germany's army in Burgundy is dislodged by the army from Paris`. */
function beaten(played: Played): { label: string; seat: string; lost: boolean }[] {
  return played.orders.flatMap((order) => {
    if (!order.unit || !order.results.includes('dislodged')) return [];
    const unit = `${powerName(order.power)}'s ${kindName(order.unit.kind)} in ${placeName(order.unit.at)}`;
    const lost = destroyed(order);
    const label = `${unit} is dislodged by ${attackerOf(order, played)}`;
    return [{ label: lost ? `${label} and destroyed, with nowhere to retreat` : label, seat: order.power, lost }];
  });
}

const loss = ({ center, from }: Capture): string => `${placeName(center)}${from ? ` (from ${powerName(from)})` : ''}`;

/** Return captures by power: `Italy takes Trieste (from Austria); Turkey takes Bulgaria and Tunis`. */
function captures(captured: readonly Capture[]): string {
  const takers = [...new Set(captured.map(({ to }) => to))];
  const sentences = takers.map((taker) => {
    const taken = captured.filter(({ to }) => to === taker);
    return `${powerName(taker)} takes ${listed(taken.map(loss))}`;
  });
  return sentences.join('; ');
}

export function describe(event: GameEvent): string {
  switch (event.type) {
    case 'OrdersSubmitted':
      return `${powerName(event.data.seat)}'s orders are in`;
    case 'OrdersResolved':
      return playedWords(readOrders(event.data));
    case 'PromiseBroken':
      return verdictWords(event.data, false);
    case 'PromiseKept':
      return verdictWords(event.data, true);
    case 'LieNoted':
      return lieWords(event.data);
    case 'PactOffered':
      return offerWords(event.data);
    case 'PactAccepted':
      return answerWords(event.data, true);
    case 'PactRefused':
      return answerWords(event.data, false);
    case 'PactKept':
      return keptWords(event.data);
    case 'PactBroken':
      return brokenWords(event.data);
    case 'TacticSet':
      return `${event.data.title}. ${taskWords(event.data)}`;
    case 'CentersChanged':
      return captures(event.data.captured);
    case 'PowerEliminated':
      return `${powerName(event.data.power)} is eliminated`;
    case 'DrawVoted':
      return event.data.vote === 'draw'
        ? `${powerName(event.data.seat)} votes for a draw`
        : `${powerName(event.data.seat)} no longer votes for a draw`;
    default:
      return '';
  }
}

/**
 * Return `Spring 1901, moves: 12 of 15 moves succeeded. Germany's army in Burgundy is dislodged by the army from
 * Paris.`
 */
function playedWords(played: Played): string {
  const title = phaseTitle(played.phase);
  const results = played.phase.endsWith('M') ? movesWords(played) : othersWords(played);
  return [`${title}: ${results}`, ...beaten(played).map(({ label }) => label)].join('. ');
}

function movesWords(played: Played): string {
  const moves = played.orders.filter((order) => order.kind === 'move');
  const made = moves.filter(done).length;
  return moves.length ? `${made} of ${moves.length} moves succeeded` : 'nobody moved';
}

/** Return retreats and builds one by one, because there are few. */
function othersWords(played: Played): string {
  const sentences = played.orders.flatMap((order) => {
    if (!order.unit) return [];
    const unit = `${powerName(order.power)}'s ${kindName(order.unit.kind)} in ${placeName(order.unit.at)}`;
    if (order.kind === 'build')
      return done(order) ? [`${powerName(order.power)} builds in ${placeName(order.unit.at)}`] : [];
    if (order.kind === 'retreat' && done(order)) return [`${unit} retreats to ${placeName(order.to ?? '')}`];
    return [`${unit} is disbanded`];
  });
  return sentences.length ? listed(sentences) : 'nothing changed';
}
