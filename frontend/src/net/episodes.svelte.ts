/** The list of episodes, refreshed while the page is visible. */

import { ApiError, api } from './api';
import type { EpisodeSummary } from '../types.gen';

const EVERY = 4000;
const PAGE = 24;

export class Episodes {
  live = $state.raw<EpisodeSummary[]>([]);
  /** Episodes that wait for a slot, the next one first. */
  queued = $state.raw<EpisodeSummary[]>([]);
  played = $state.raw<EpisodeSummary[]>([]);
  /** Number of live matches that wait until the record can be written. */
  waiting = $state(0);
  /** Number of connections to each watched episode. */
  viewers = $state.raw<Record<string, number>>({});
  /** Total number of finished episodes. */
  total = $state(0);
  /** Whether the server has responded. */
  here = $state(false);
  trouble = $state.raw<string | null>(null);
  /** The server's time in Unix seconds, advanced by this browser's clock since the last response. */
  now = $state(Date.now() / 1000);

  #shown = PAGE;
  #timer = 0;
  #abort = new AbortController();

  open(): void {
    document.addEventListener('visibilitychange', this.#seen);
    void this.#ask();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#seen);
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  more(): void {
    this.#shown += PAGE;
    void this.#ask();
  }

  /** Request the list now, after an action that changes it. */
  refresh(): void {
    void this.#ask();
  }

  #seen = (): void => {
    clearTimeout(this.#timer);
    if (!document.hidden) void this.#ask();
  };

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const signal = this.#abort.signal;
      const [open, played] = await Promise.all([
        api.episodes({ status: ['live', 'queued'], limit: 100 }, signal),
        api.episodes({ status: ['finished', 'stopped', 'error', 'interrupted'], limit: this.#shown }, signal),
      ]);
      this.live = open.episodes.filter(({ status, episode_id: id }) => status === 'live' && !open.queue.includes(id));
      this.queued = open.queue.flatMap((id) => open.episodes.find((episode) => episode.episode_id === id) ?? []);
      this.viewers = { ...played.viewers, ...open.viewers };
      this.waiting = open.waiting.length;
      this.played = played.episodes;
      this.total = played.total;
      this.here = true;
      this.trouble = null;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.trouble = error instanceof ApiError ? error.message : String(error);
    }
    this.now = Date.now() / 1000;
    if (!document.hidden) this.#timer = window.setTimeout(() => void this.#ask(), EVERY);
  }
}
