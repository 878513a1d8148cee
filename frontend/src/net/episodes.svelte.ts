/** The list of episodes, refreshed while the page is visible. */

import { ApiError, api, serverTime } from './api';
import { capital } from '../lib/text';
import type { Awaited, EpisodeSummary, LaneInfo } from '../types.gen';

const EVERY = 4000;
const PAGE = 24;
const SECOND = 1000;
/** Number of ended matches that are requested whatever the filter is. */
const LATEST = 4;
/** The origin of the matches of tournaments, which are listed on the page of their tournament. */
const APART = 'tournament';
const ENDED: EpisodeSummary['status'][] = ['finished', 'stopped', 'error', 'interrupted'];

/** The filter of the list of ended episodes; '' for all. */
export interface Filter {
  readonly game: string;
  readonly player: string;
}

/** The facts of which the state of an episode is told. */
export interface Facts {
  readonly status: EpisodeSummary['status'];
  readonly paused?: boolean;
  readonly place?: number;
  readonly waiting?: { readonly name: string; readonly left: number | null } | null;
}

export class Episodes {
  live = $state.raw<EpisodeSummary[]>([]);
  /** Episodes that wait for a slot, the next one first. */
  queued = $state.raw<EpisodeSummary[]>([]);
  /** The ended episodes that pass the filter. */
  played = $state.raw<EpisodeSummary[]>([]);
  /** The episodes that ended last, whatever the filter is. */
  latest = $state.raw<EpisodeSummary[]>([]);
  /** The showcase of each game that has one. */
  lanes = $state.raw<LaneInfo[]>([]);
  /** The person whom a live match waits for. */
  awaited = $state.raw<Record<string, Awaited>>({});
  filter = $state.raw<Filter>({ game: '', player: '' });
  /** Number of live matches that wait until the record can be written. */
  waiting = $state(0);
  /** Number of connections to each watched episode. */
  viewers = $state.raw<Record<string, number>>({});
  /** Total number of ended episodes that pass the filter. */
  total = $state(0);
  /** Whether the server has responded. */
  here = $state(false);
  trouble = $state.raw<string | null>(null);
  /** The time on the server's clock in Unix seconds, every second. */
  now = $state(serverTime());

  #shown = PAGE;
  #timer = 0;
  #second = 0;
  #abort = new AbortController();

  open(): void {
    document.addEventListener('visibilitychange', this.#resume);
    this.#second = window.setInterval(() => (this.now = serverTime()), SECOND);
    void this.#ask();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#resume);
    clearTimeout(this.#timer);
    clearInterval(this.#second);
    this.#abort.abort();
  }

  more(): void {
    this.#shown += PAGE;
    void this.#ask();
  }

  /** List the ended episodes of a game, or those in which a player had a seat. */
  select(filter: Filter): void {
    this.filter = filter;
    this.#shown = PAGE;
    void this.#ask();
  }

  /** Return the facts of which the state of an episode is told; `name` returns the name of a seat. */
  facts(
    { episode_id: id, status, paused }: EpisodeSummary,
    name: (seat: string) => string = (seat) => capital(seat.toLowerCase()),
  ): Facts {
    const place = this.queued.findIndex(({ episode_id: queued }) => queued === id);
    const person = this.awaited[id];
    const waiting = person && {
      name: name(person.seat),
      left: person.deadline == null ? null : person.deadline - this.now,
    };
    return place < 0 ? { status, paused, waiting: waiting ?? null } : { status: 'queued', place: place + 1 };
  }

  /** The live episodes without the matches of tournaments, which would be on for a moment each. */
  get shown(): EpisodeSummary[] {
    return this.live.filter(({ origin }) => origin !== APART);
  }

  /** Request the list now, after an action that changes it. */
  refresh(): void {
    void this.#ask();
  }

  #resume = (): void => {
    clearTimeout(this.#timer);
    if (!document.hidden) void this.#ask();
  };

  async #ask(): Promise<void> {
    clearTimeout(this.#timer);
    const filter = this.filter;
    try {
      const signal = this.#abort.signal;
      const filtered = filter.game || filter.player;
      const [open, played, latest] = await Promise.all([
        api.episodes({ status: ['live', 'queued'], limit: 100 }, signal),
        api.episodes({ status: ENDED, limit: this.#shown, without: [APART], ...filter }, signal),
        filtered ? api.episodes({ status: ENDED, limit: LATEST, without: [APART] }, signal) : null,
      ]);
      if (filter !== this.filter) return; // a newer request has been made
      this.live = open.episodes.filter(({ status, episode_id: id }) => status === 'live' && !open.queue.includes(id));
      this.queued = open.queue.flatMap((id) => open.episodes.find((episode) => episode.episode_id === id) ?? []);
      this.viewers = { ...played.viewers, ...open.viewers };
      this.waiting = open.waiting.length;
      this.lanes = open.lanes;
      this.awaited = Object.fromEntries(open.awaited.map((person) => [person.episode_id, person]));
      this.played = played.episodes;
      this.latest = (latest ?? played).episodes.slice(0, LATEST);
      this.total = played.total;
      this.here = true;
      this.trouble = null;
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.trouble = error instanceof ApiError ? error.message : String(error);
    }
    this.now = serverTime();
    if (!document.hidden) this.#timer = window.setTimeout(() => void this.#ask(), EVERY);
  }
}
