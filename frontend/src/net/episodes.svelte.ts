/** The list of episodes, refreshed while the page is visible. */

import { ApiError, api } from './api';
import type { EpisodeSummary } from '../types.gen';

const EVERY = 4000;
const PAGE = 24;

export class Episodes {
  live = $state.raw<EpisodeSummary[]>([]);
  /** Those that wait for a slot, next first. */
  queued = $state.raw<EpisodeSummary[]>([]);
  played = $state.raw<EpisodeSummary[]>([]);
  /** How many live matches wait until the record can be written. */
  waiting = $state(0);
  /** How many connections watch each episode that anybody watches. */
  viewers = $state.raw<Record<string, number>>({});
  /** How many have been played in all. */
  total = $state(0);
  /** Whether an answer has come. */
  here = $state(false);
  trouble = $state.raw<string | null>(null);
  /** The server's time of the answers, Unix seconds, as far as this browser's clock goes. */
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

  /** Ask at once: something was done that changes the list. */
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
