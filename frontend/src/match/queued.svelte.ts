/** The place of a match in the queue, asked for while it waits for a slot. */

import { at, get } from '../net/api';
import type { EpisodeSummary, QueuePlace } from '../types.gen';

const EVERY = 5000;

export class Queued {
  place = $state.raw<QueuePlace | null>(null);

  /** Ask for the place of match `id` until the returned function is called. */
  follow(id: string): () => void {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const summary = await get<EpisodeSummary>(at(id), abort.signal).catch(() => null);
      if (!abort.signal.aborted) this.place = summary?.queue ?? null;
    };
    void ask();
    const timer = setInterval(() => document.hidden || void ask(), EVERY);
    return () => {
      clearInterval(timer);
      abort.abort();
      this.place = null;
    };
  }
}
