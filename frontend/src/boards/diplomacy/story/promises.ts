/** The outcomes of promises in words. */

import type { PromiseOutcome } from '../../game';
import type { GameEvent, LieNoted, PromiseBroken, PromiseKept } from '../events.gen';
import { readText } from './notation';
import { POWER_IDS, powerName } from '../powers';
import { orderWords, plainWords } from './orderText';
import { listed } from '../../../lib/say';

/** Return the outcome of a promise that `event` reports, or null. */
export function promiseOutcome(event: GameEvent): PromiseOutcome | null {
  switch (event.type) {
    case 'PromiseReplaced':
    case 'PromiseKept':
    case 'PromiseBroken': {
      const { power: seat, phase: turn, promise, recipients, public: all = false } = event.data;
      const outcome = { PromiseReplaced: 'replaced', PromiseKept: 'kept', PromiseBroken: 'broken' } as const;
      return { seat, turn, promise, recipients, public: all, outcome: outcome[event.type] };
    }
    case 'LieNoted': {
      const { power: seat, phase: turn, promise, recipients, public: all = false } = event.data;
      return { seat, turn, promise, recipients, public: all, outcome: 'lie' };
    }
    default:
      return null;
  }
}

/** Return `Italy broke its promise to Austria that the army in Venice holds: it moves to Trieste`. */
export function verdictWords(data: PromiseKept | PromiseBroken, kept: boolean): string {
  const promise = `promise to ${recipientWords(data)} that ${promiseWords(data.meant || data.promise)}`;
  return kept
    ? `${powerName(data.power)} kept its ${promise}`
    : `${powerName(data.power)} broke its ${promise}: it ${deedWords(data.order)}`;
}

/** `Italy does not mean its promise to Austria that the army in Venice holds`. */
export function lieWords(data: LieNoted): string {
  const promise = `promise to ${recipientWords(data)} that ${promiseWords(data.promise)}`;
  return `${powerName(data.power)} does not mean its ${promise}`;
}

function recipientWords({ recipients, public: all }: Pick<LieNoted, 'recipients' | 'public'>): string {
  return all || recipients.length >= POWER_IDS.length - 1 ? 'all' : listed(recipients.map(powerName));
}

const VERBS = {
  H: 'holds',
  '-': 'moves to',
  S: 'supports',
  C: 'convoys',
  R: 'retreats to',
  D: 'disbands',
  B: 'is built',
};

/** Return a promise in words, also if the kind of a unit is left out: `PAR - BUR`. */
export function promiseWords(promise: string): string {
  const bare =
    /^([A-Z]{3}(?:\/[NSEW]C)?) (H|-|S|C|R|D|B)\b ?(.*)$/.exec(promise) ??
    /^([A-Z]{3}(?:\/[NSEW]C)?) (-) (.*)$/.exec(promise);
  if (!bare) return plainWords(promise);
  const [, place = '', verb = 'H', rest = ''] = bare;
  return plainWords(`the unit in ${place} ${VERBS[verb as keyof typeof VERBS]} ${rest.replace(' - ', ' to ')}`.trim());
}

function deedWords(order: string): string {
  try {
    return orderWords(readText('', order));
  } catch {
    return plainWords(order);
  }
}
