/** Fills what a late joiner missed, page by page, behind what is already shown. */

import { ApiError, api } from '../net/api';
import type { Numbered } from './store';

/** Events in one request: one answer of the server holds as many. */
const PAGE = 5000;
const RETRY = 2000;

export interface HistoryEvents {
  /** The next run of numbers to fetch, or null where nothing is missing. */
  gap(): [first: number, stop: number] | null;
  frames(frames: readonly Numbered[]): void;
  /** Why the past cannot be had now; null once it can. */
  trouble(reason: string | null): void;
}

/** Fetch until nothing is missing or `signal` aborts. One fill at a time: call again when a new gap may have opened. */
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
