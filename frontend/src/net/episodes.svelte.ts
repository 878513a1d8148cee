/** The episodes of the lobby, which the server streams while the page is visible, and pages of ended ones. */

import { ApiError, api } from './api';
import { browser } from './browser';
import { capital } from '../lib/text';
import { changed, type LobbyChange } from './lobby';
import { now } from './serverClock.svelte';
import type { Socket } from './transport';
import type { EpisodeList, EpisodeSummary, Lobby } from '../types.gen';

const PAGE = 24;
/** Number of the episodes that ended last, from which the lobby chooses a result. */
const LATEST = 4;
/** Milliseconds without a message after which the stream is opened anew. The server sends one every 15 s at least. */
const SILENCE = 40_000;
/** Milliseconds until a lost stream is opened again, which double with each attempt. */
const RETRY = 1000;
const LONGEST_RETRY = 16_000;
/** The origin of the matches of tournaments, which are listed on the page of their tournament. */
const APART = 'tournament';
const ENDED: EpisodeSummary['status'][] = ['finished', 'stopped', 'error', 'interrupted'];

/** The filter of the list of ended episodes; '' for all. */
export interface Filter {
  readonly game: string;
  readonly player: string;
}

/** The facts that determine the words for an episode's state. */
export interface Facts {
  readonly status: EpisodeSummary['status'];
  readonly paused?: boolean;
  readonly place?: number;
  readonly waiting?: { readonly name: string; readonly left: number | null } | null;
}

export class Episodes {
  lobby = $state.raw<Lobby | null>(null);
  filter = $state.raw<Filter>({ game: '', player: '' });
  trouble = $state.raw<string | null>(null);
  /** A page of ended episodes that the lobby does not have: filtered, or longer. */
  #page = $state.raw<EpisodeList | null>(null);

  /** Whether the server has responded. */
  here = $derived(this.lobby !== null);
  live = $derived(this.#list(this.lobby?.live));
  /** Episodes that wait for a slot, the next one first. */
  queued = $derived(this.#list(this.lobby?.queue));
  /** The episodes that ended last, whatever the filter is. */
  latest = $derived(this.#list(this.lobby?.ended.slice(0, LATEST)));
  /** The ended episodes that pass the filter. */
  played = $derived(this.#page?.episodes ?? this.#list(this.lobby?.ended));
  /** Total number of ended episodes that pass the filter. */
  total = $derived(this.#page?.total ?? this.lobby?.total ?? 0);
  /** The showcase of each game that has one. */
  lanes = $derived(this.lobby?.lanes ?? []);
  /** Number of live matches that wait until the record can be written. */
  waiting = $derived(this.lobby?.waiting.length ?? 0);
  /** Number of connections to each watched episode. */
  viewers = $derived(this.lobby?.viewers ?? {});
  /** A glance at each of the newest live matches, and at the last result. */
  glances = $derived(this.lobby?.glances ?? {});
  /** The person whom a live match waits for. */
  awaited = $derived(this.lobby?.awaited ?? {});

  #shown = PAGE;
  #paged = '';
  #socket: Socket | null = null;
  #retry = RETRY;
  #timer = 0;
  #silence = 0;
  #abort = new AbortController();

  open(): void {
    document.addEventListener('visibilitychange', this.#turn);
    void this.#connect();
  }

  close(): void {
    document.removeEventListener('visibilitychange', this.#turn);
    this.#cut();
    this.#abort.abort();
  }

  more(): void {
    this.#shown += PAGE;
    void this.#turnPage();
  }

  /** List the ended episodes of a game, or those in which a player had a seat. */
  select(filter: Filter): void {
    this.filter = filter;
    this.#shown = PAGE;
    void this.#turnPage();
  }

  /** Return the facts of which the state of an episode is told; `name` returns the name of a seat. */
  facts(
    { episode_id: id, status, paused }: EpisodeSummary,
    name: (seat: string) => string = (seat) => capital(seat.toLowerCase()),
  ): Facts {
    const place = this.lobby?.queue.indexOf(id) ?? -1;
    const person = this.awaited[id];
    const waiting = person && {
      name: name(person.seat),
      left: person.deadline == null ? null : person.deadline - now.seconds,
    };
    return place < 0 ? { status, paused, waiting: waiting ?? null } : { status: 'queued', place: place + 1 };
  }

  /** The live episodes without the matches of tournaments, each of which lasts only a moment. */
  get shown(): EpisodeSummary[] {
    return this.live.filter(({ origin }) => origin !== APART);
  }

  #list(ids: readonly string[] | undefined): EpisodeSummary[] {
    return (ids ?? []).flatMap((id) => this.lobby?.episodes[id] ?? []);
  }

  /** A hidden page needs no stream; a browser allows only a few to one server. */
  #turn = (): void => {
    this.#cut();
    if (!document.hidden) void this.#connect();
  };

  #cut(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  async #connect(): Promise<void> {
    this.#cut();
    const { signal } = this.#abort;
    try {
      const lobby = await api.lobby(signal);
      if (signal.aborted || document.hidden) return;
      this.#take(lobby);
      this.#stream(lobby.version);
    } catch (error) {
      if (signal.aborted) return;
      this.trouble = error instanceof ApiError ? error.message : String(error);
      this.#again();
    }
  }

  #stream(version: string): void {
    const socket = browser.connect('events', `/api/lobby/changes?after=${version}`);
    this.#socket = socket;
    this.#listen();
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket || !this.lobby) return;
      const lobby = changed(this.lobby, JSON.parse(String(data)) as LobbyChange);
      if (!lobby) return void this.#connect();
      this.#retry = RETRY;
      this.#take(lobby);
      this.#listen();
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#again();
    };
  }

  #take(lobby: Lobby): void {
    this.lobby = lobby;
    this.trouble = null;
    void this.#turnPage();
  }

  /** Wait for the next message, and open the stream anew after a long silence. */
  #listen(): void {
    clearTimeout(this.#silence);
    this.#silence = window.setTimeout(() => {
      this.trouble = 'The server is not responding.';
      void this.#connect();
    }, SILENCE);
  }

  #again(): void {
    this.#cut();
    this.#timer = window.setTimeout(() => void this.#connect(), this.#retry * (0.5 + Math.random() / 2));
    this.#retry = Math.min(LONGEST_RETRY, 2 * this.#retry);
  }

  /** Request the ended episodes that pass the filter, where the lobby does not have them and they may have changed. */
  async #turnPage(): Promise<void> {
    const { filter } = this;
    const wanted = filter.game !== '' || filter.player !== '' || this.#shown > PAGE;
    const key = wanted ? JSON.stringify([filter, this.#shown, this.lobby?.total, this.lobby?.ended[0]]) : '';
    if (key === this.#paged) return;
    this.#paged = key;
    if (!wanted) {
      this.#page = null;
      return;
    }
    const query = { status: ENDED, limit: this.#shown, without: [APART], ...filter };
    const page = await api.episodes(query, this.#abort.signal).catch(() => null);
    if (key !== this.#paged) return; // a newer request has been made
    if (page) this.#page = page;
    else this.#paged = '';
  }
}
