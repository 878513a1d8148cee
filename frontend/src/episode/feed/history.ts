/** Fetches the events before a late viewer's first snapshot, page by page, while later ones are already shown. */

import { ApiError, api } from '../../net/api';
import type { Numbered } from '../record/store';

/** Maximum number of events in one request, which is also the server's limit. */
const PAGE = 5000;
const RETRY = 2000;

export interface HistoryEvents {
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
      const page = await api.events(id, as, gap[0], Math.min(gap[1], gap[0] + PAGE), signal);
      if (signal.aborted) return;
      events.frames(page.frames);
      events.trouble(null);
      if (page.frames.length === 0) return;
    } catch (error) {
      if (signal.aborted) return;
      events.trouble(error instanceof ApiError ? error.message : String(error));
      await new Promise((resume) => setTimeout(resume, RETRY));
    }
  }
}
