/** The status of a match in the same words on every page. */

import { clock } from '../lib/time';
import type { EpisodeSummary } from '../types.gen';

type Status = EpisodeSummary['status'];

export interface Standing {
  readonly kind: Status | 'paused' | 'behind';
  readonly text: string;
}

export interface Doing {
  readonly status: Status;
  readonly paused?: boolean;
  /** The place in the queue, from 1. */
  readonly place?: number | null;
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
const SUFFIX: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };

export const ordinal = (n: number): string => `${n}${SUFFIX[ORDINAL.select(n)] ?? 'th'}`;

export function standing({ status, paused = false, place = null, behind = null }: Doing): Standing {
  if (status === 'queued' && place !== null) return { kind: 'queued', text: `Queued (${ordinal(place)})` };
  if (status !== 'live') return { kind: status, text: WORDS[status] };
  const text = paused ? 'Paused' : WORDS.live;
  if (behind !== null) return { kind: 'behind', text: `${text}, ${clock(behind)} back` };
  return { kind: paused ? 'paused' : 'live', text };
}
