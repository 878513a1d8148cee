/** One episode being watched: the stream, the store, the board's moments and the clock of playback, for components. */

import { ApiError, api } from './api';
import type { Board } from './boards/board';
import { loadBoard } from './boards/registry';
import { fillHistory } from './history';
import { Moments, type Mark, type Moment, type Tick } from './moments';
import { complete, EMPTY, firstGap, reduce, shown, type Action, type Numbered, type Store } from './store';
import { Stream, type StreamState } from './stream';
import { browser } from './lib/browser';
import type { EpisodeSummary } from './types.gen';

/** What is on screen. Replaced whole, at most once an animation frame. */
export interface View {
  readonly store: Store;
  readonly seq: number;
  readonly following: boolean;
  readonly complete: boolean;
  readonly moment: Moment<unknown> | null;
  /** The board's state just before, where this view is one step forward of it. */
  readonly previous: unknown;
  readonly marks: readonly Mark[];
  readonly ticks: readonly Tick[];
}

export class Watch {
  view = $state.raw<View | null>(null);
  episode = $state.raw<EpisodeSummary | null>(null);
  board = $state.raw<Board | null>(null);
  connection = $state.raw<StreamState>({ name: 'connecting' });
  /** Why there is nothing to watch; null while there is. */
  failure = $state.raw<string | null>(null);
  /** Why the past is not here yet. */
  trouble = $state.raw<string | null>(null);

  #store: Store = EMPTY;
  #moments: Moments<unknown> | null = null;
  #stream: Stream;
  #abort = new AbortController();
  #filling = false;
  #pending = 0;

  constructor(
    readonly id: string,
    readonly as: string,
    seq: number | null,
  ) {
    if (seq !== null) this.#store = reduce(EMPTY, { do: 'look', seq });
    this.#stream = new Stream(
      id,
      as,
      {
        snapshot: (snapshot) => this.#join(snapshot.episode, { do: 'snapshot', snapshot }),
        frame: (frame) => this.#dispatch({ do: 'frames', frames: [frame] }),
        resync: () => this.#dispatch({ do: 'resync' }),
        state: (state) => this.#connected(state),
      },
      browser,
    );
  }

  open(): void {
    this.#stream.open();
    if (this.#store.looking !== null) void this.#firstLook(this.#store.looking);
  }

  close(): void {
    this.#stream.close();
    this.#abort.abort();
    cancelAnimationFrame(this.#pending);
  }

  retry(): void {
    this.#stream.retry();
  }

  look(seq: number): void {
    this.#dispatch({ do: 'look', seq });
  }

  follow(): void {
    this.#dispatch({ do: 'follow' });
  }

  /** Paint the linked moment at once, while its past is still on the way. */
  async #firstLook(seq: number): Promise<void> {
    try {
      const snapshot = await api.snapshot(this.id, this.as, seq, this.#abort.signal);
      this.#join(snapshot.episode, { do: 'snapshot', snapshot });
    } catch (error) {
      // A number that has not happened yet is shown as the live end, which the stream brings.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  #join(episode: EpisodeSummary, action: Action): void {
    if (!this.#moments) void this.#prepare(episode);
    this.#dispatch(action);
    this.episode = this.#store.episode;
  }

  async #prepare(episode: EpisodeSummary): Promise<void> {
    const board = await loadBoard(episode.game);
    if (this.#abort.signal.aborted || this.#moments) return;
    this.#moments = new Moments(board, episode);
    this.board = board;
    this.#schedule();
  }

  #dispatch(action: Action): void {
    this.#store = reduce(this.#store, action);
    this.#schedule();
    if (!this.#filling && firstGap(this.#store)) void this.#fill();
  }

  async #fill(): Promise<void> {
    this.#filling = true;
    await fillHistory(
      this.id,
      this.as,
      {
        gap: () => firstGap(this.#store),
        frames: (frames: readonly Numbered[]) => this.#dispatch({ do: 'frames', frames }),
        trouble: (reason) => (this.trouble = reason),
      },
      this.#abort.signal,
    );
    this.#filling = false;
  }

  #connected(state: StreamState): void {
    if (state.name === 'refused') this.failure = state.reason || `The server closed the stream (${state.code}).`;
    this.connection = state;
  }

  #schedule(): void {
    this.#pending ||= requestAnimationFrame(() => {
      this.#pending = 0;
      this.#paint();
    });
  }

  #paint(): void {
    const store = this.#store;
    const moments = this.#moments;
    if (!moments || store.head < 0) return;
    moments.foldAll(store);
    const seq = shown(store);
    const moment = moments.at(store, seq);
    const last = this.view;
    this.view = {
      store,
      seq,
      following: store.looking === null,
      complete: complete(store),
      moment,
      previous: last?.moment && last.seq < seq ? last.moment.board : null,
      marks: moments.marks,
      ticks: moments.ticks,
    };
  }
}
