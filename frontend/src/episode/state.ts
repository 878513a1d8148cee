/** The state of an episode in the same words on every page. */

import { clock } from '../lib/time';
import type { EpisodeSummary, QueuePlace } from '../types.gen';

type Status = EpisodeSummary['status'];

export interface EpisodeState {
  /** `behind` is a live match of which an earlier moment is shown; it does not have the colour of live matches. */
  readonly kind: Status | 'paused' | 'waiting' | 'behind';
  readonly text: string;
}

export interface EpisodeFacts {
  readonly status: Status;
  readonly paused?: boolean;
  /** The place in the queue, from 1. */
  readonly place?: number | null;
  /** The person whom a live match waits for, and the seconds left on the clock; null if there is no clock. */
  readonly waiting?: { readonly name: string; readonly left: number | null } | null;
  /** Seconds by which the moment shown is behind the live one; null if the live moment is shown. */
  readonly behind?: number | null;
}

const WORDS: Record<Status, string> = {
  queued: 'Queued',
  live: 'Live',
  finished: 'Final',
  stopped: 'Stopped',
  error: 'Failed',
  interrupted: 'Interrupted',
};

const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });
const SUFFIXES = new Map<Intl.LDMLPluralRule, string>([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);

const ordinal = (n: number): string => `${n}${SUFFIXES.get(ORDINAL.select(n)) ?? 'th'}`;

const MINUTE = 60;

/** Return when a match that waits in the queue begins, by the server's estimate: `begins in about 4 min`. */
export function begins(queue: QueuePlace | null | undefined): string {
  return queue?.seconds == null ? '' : `begins in about ${Math.max(1, Math.round(queue.seconds / MINUTE))}\u00a0min`;
}

/** Return the place of a match in the queue: `2nd in the queue`. */
export const inQueue = ({ place }: QueuePlace): string => `${ordinal(place)} in the queue`;

/**
 * Return the state of an episode in words: `Live`, `Paused`, `Queued (2nd)`, `Waiting for Ana 1:40`, `Stopped`,
 * `Final`. A match that is paused waits for nobody.
 */
export function episodeState(facts: EpisodeFacts): EpisodeState {
  const { status, paused = false, place = null, waiting = null, behind = null } = facts;
  if (status === 'queued' && place !== null) return { kind: 'queued', text: `Queued (${ordinal(place)})` };
  if (status !== 'live') return { kind: status, text: WORDS[status] };
  if (behind !== null) return { kind: 'behind', text: `${paused ? 'Paused' : WORDS.live}, ${clock(behind)} back` };
  if (paused) return { kind: 'paused', text: 'Paused' };
  if (!waiting) return { kind: 'live', text: WORDS.live };
  const left = waiting.left === null ? '' : ` ${clock(waiting.left)}`;
  return { kind: 'waiting', text: `Waiting for ${waiting.name}${left}` };
}
