/** Fetches the events before a late viewer's first snapshot, page by page, while later ones are already shown. */

import { ApiError, api } from '../../net/api';
import type { Numbered } from '../record/store';

/** Maximum number of events in one request, which is also the server's limit and the size of its segments. */
const PAGE = 5000;
const RETRY = 2000;

/** An episode that has ended: its last epoch and number. */
export interface Ended {
  readonly epoch: number;
  readonly last_seq: number;
}

export interface HistoryEvents {
  /** Return the episode if it has ended, else null. */
  over(): Ended | null;
  /** Return the next range of numbers to fetch, or null if nothing is missing. */
  gap(): [first: number, stop: number] | null;
  frames(frames: readonly Numbered[]): void;
  /** Reports why earlier events cannot be fetched at present; null when they can again. */
  trouble(reason: string | null): void;
}

/**
 * Fetch until nothing is missing or `signal` aborts. Only one fill runs at a time; call again after a new gap has
 * opened.
 */
export async function fillHistory(id: string, as: string, events: HistoryEvents, signal: AbortSignal): Promise<void> {
  for (let gap = events.gap(); gap && !signal.aborted; gap = events.gap()) {
    try {
      const frames = await fetched(id, as, gap, events.over(), signal);
      if (signal.aborted) return;
      events.frames(frames);
      events.trouble(null);
      // A server that does not have them yet is asked again.
      if (frames.length > 0) continue;
    } catch (error) {
      if (signal.aborted) return;
      events.trouble(error instanceof ApiError ? error.message : String(error));
    }
    await new Promise((resume) => setTimeout(resume, RETRY));
  }
}

/** Fetch the first events of a gap: those of one segment if the episode has ended, because caches keep segments. */
async function fetched(
  id: string,
  as: string,
  [first, stop]: [number, number],
  over: Ended | null,
  signal: AbortSignal,
): Promise<readonly Numbered[]> {
  if (over === null) return (await api.events(id, as, first, Math.min(stop, first + PAGE), signal)).frames;
  const from = first - (first % PAGE);
  const page = await api.events(id, as, from, Math.min(from + PAGE, over.last_seq + 1), signal, over.epoch);
  return page.frames.slice(first - from, stop - from);
}
