/** One open episode, for components: its stream, store, moments and playback. */

import { untrack } from 'svelte';

import { ApiError, api } from '../net/api';
import { called, type Board } from '../boards/board';
import { expectBoard, loadBoard } from '../boards/registry';
import { fillHistory } from './history';
import { browser } from '../net/browser';
import { Moments, type Landmarks, type Moment } from './moments';
import { minor } from './parts';
import { countNumbersUpTo } from '../lib/search';
import { stepAfter, stepBefore, wait, type Speed } from './playback';
import { PlaybackClock } from './playbackClock.svelte';
import { complete, EMPTY, firstGap, reduce, shown, type Action, type Numbered, type Store } from './store';
import { Stream, type StreamState } from './stream';
import type { EpisodeSummary, Snapshot } from '../types.gen';

/** What is on screen. Replaced whole, at most once an animation frame. */
export interface View {
  readonly store: Store;
  readonly seq: number;
  readonly following: boolean;
  /** How the match stands at its head, wherever the viewer looks. */
  readonly status: EpisodeSummary['status'];
  readonly paused: boolean;
  /** When the last event at its head happened, Unix seconds. */
  readonly at: number;
  /** Whether every event from 0 to the head is here. */
  readonly complete: boolean;
  /** Null where what led to `seq` is not here yet. */
  readonly moment: Moment<unknown> | null;
  /** The board's state just before, where this view is one step forward of it and the way may be shown. */
  readonly previous: unknown;
  readonly landmarks: Landmarks;
}

/** Milliseconds of silence after which a stream is asked about: a connection can die without a word. */
const QUIET = 30_000;
const GRACE = 5_000;

export class Watch {
  view = $state.raw<View | null>(null);
  episode = $state.raw<EpisodeSummary | null>(null);
  board = $state.raw<Board | null>(null);
  /** The board with its seats as they are called in the match: the same one until a name changes. */
  called = $derived.by(() => {
    const state = this.#names && untrack(() => this.view?.moment?.board);
    return this.board && called(this.board, state);
  });
  connection = $state.raw<StreamState>({ name: 'connecting' });
  /** Why there is nothing to watch; null while there is. */
  failure = $state.raw<{ status: number; reason: string } | null>(null);
  /** Why the past is not here yet. */
  trouble = $state.raw<string | null>(null);
  /** Why another record took the place of the one that was shown. */
  replaced = $state.raw<string | null>(null);
  readonly playback = new PlaybackClock({ due: (speed) => this.#due(speed), take: () => this.#forward() });

  #names = $derived(
    JSON.stringify(this.episode?.seats.map(({ seat }) => this.board?.seat(seat, this.view?.moment?.board)) ?? ''),
  );
  #store: Store = EMPTY;
  #moments: Moments<unknown> | null = null;
  #stream: Stream;
  #abort = new AbortController();
  #filling = false;
  #pending = 0;
  #scrubbed = false;
  #quiet = 0;

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
        snapshot: (snapshot) => this.#join(snapshot),
        frame: (frame) => {
          this.#heard();
          this.#dispatch({ do: 'frames', frames: [frame] });
        },
        resync: (reason) => {
          this.replaced = reason;
          this.#dispatch({ do: 'resync' });
        },
        state: (state) => void this.#connected(state),
      },
      browser,
    );
  }

  open(): void {
    expectBoard(this.id);
    this.#stream.open();
    if (this.#store.looking !== null) void this.#firstLook(this.#store.looking);
  }

  close(): void {
    this.#stream.close();
    this.#abort.abort();
    this.playback.pause();
    clearTimeout(this.#quiet);
    cancelAnimationFrame(this.#pending);
  }

  /** Try the server again now. */
  retry(): void {
    this.#stream.retry();
  }

  /** Show `seq` at once, as a scrub does; it may be any number. */
  look(seq: number): void {
    this.#scrubbed = true;
    this.playback.pause();
    this.#dispatch({ do: 'look', seq });
  }

  /** Follow the live end, or show the last moment of an episode that ended. */
  follow(): void {
    this.playback.pause();
    this.#dispatch({ do: 'follow' });
  }

  next(): void {
    this.playback.pause();
    this.#forward();
  }

  back(): void {
    this.playback.pause();
    const { steps } = this.#landmarks;
    this.#scrubbed = true;
    this.#dispatch({ do: 'look', seq: stepBefore(steps, shown(this.#store)) ?? 0 });
  }

  /** The beginning of the turn `by` turns away from the one shown. */
  turn(by: 1 | -1): void {
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const seq = shown(this.#store);
    const target = by > 0 ? stepAfter(starts, seq) : stepBefore(starts, seq);
    if (by > 0 && target === undefined) this.follow();
    else this.look(target ?? 0);
  }

  /** Whether the view moves by itself: it is played, or follows play. */
  get moving(): boolean {
    return this.playback.playing || (this.view?.following === true && this.connection.name !== 'complete');
  }

  /** Stand still where the view moves, at the moment shown; play on where it stands, from the start at the end. */
  toggle(): void {
    if (this.moving) return this.look(shown(this.#store));
    const atEnd = stepAfter(this.#landmarks.steps, shown(this.#store)) === undefined;
    if (this.#store.looking === null || atEnd) this.#dispatch({ do: 'look', seq: 0 });
    this.playback.play();
  }

  /** What `seq` says in one sentence; null where that is not here yet. */
  text(seq: number): string | null {
    return this.#moments?.at(this.#store, seq)?.text ?? null;
  }

  /** The last thing told up to the moment shown; '' where nothing is known to be. */
  lastText(): string {
    const seq = this.view?.seq ?? -1;
    for (let back = seq; back >= 0; back--) {
      const slot = this.#store.slots[back];
      if (slot === undefined) break;
      const text = slot && this.board && slot.type !== 'TurnStarted' && !minor(this.board, slot) ? this.text(back) : '';
      if (text) return text;
    }
    return '';
  }

  get #landmarks(): Landmarks {
    return this.#moments?.landmarks ?? { marks: [], ticks: [], steps: [], broken: [] };
  }

  /** One step forward; past the last one, on to the live end. */
  #forward(): boolean {
    const next = stepAfter(this.#landmarks.steps, shown(this.#store));
    this.#dispatch(next === undefined ? { do: 'follow' } : { do: 'look', seq: next });
    return next !== undefined;
  }

  #due(speed: Speed): number {
    const seq = shown(this.#store);
    return wait(this.#store.slots, seq, stepAfter(this.#landmarks.steps, seq) ?? seq, speed);
  }

  /** Paint the linked moment at once, while its past is still on the way. */
  async #firstLook(seq: number): Promise<void> {
    try {
      this.#join(await api.snapshot(this.id, this.as, seq, this.#abort.signal));
    } catch (error) {
      // A number that has not happened yet is shown as the live end, which the stream brings.
      if (!(error instanceof ApiError) && !this.#abort.signal.aborted) throw error;
    }
  }

  #join(snapshot: Snapshot): void {
    if (!this.#moments) void this.#prepare(snapshot.episode);
    this.#dispatch({ do: 'snapshot', snapshot });
    this.episode = this.#store.episode;
  }

  async #prepare(episode: EpisodeSummary): Promise<void> {
    const board = await loadBoard(episode.game).catch(() => null);
    if (!board) {
      this.failure = { status: 0, reason: 'Its board could not be fetched. Reload the page to try again.' };
      return;
    }
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

  async #connected(state: StreamState): Promise<void> {
    this.connection = state;
    this.#heard();
    if (state.name === 'refused') this.failure = { status: state.code, reason: state.reason };
    if (state.name !== 'reconnecting' || this.#store.head >= 0) return;
    // Nothing ever came: ask in words why. A refused handshake does not say.
    try {
      await api.episode(this.id, this.#abort.signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return;
      this.#stream.close();
      this.failure = { status: error.status, reason: error.message };
    }
  }

  #heard(): void {
    clearTimeout(this.#quiet);
    if (this.connection.name === 'live') this.#quiet = window.setTimeout(() => void this.#ask(), QUIET);
  }

  /** Nothing was heard for long: go on where the server has no more, resume on a new connection where it has. */
  async #ask(): Promise<void> {
    const signal = this.#abort.signal;
    const known = await api.episode(this.id, signal).then(
      (episode) => episode.last_seq,
      () => Infinity,
    );
    this.#quiet = window.setTimeout(() => {
      if (this.#stream.last < known) this.#stream.restart();
      this.#heard();
    }, GRACE);
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
    const head = moments.at(store, store.head)?.shell;
    this.view = {
      store,
      seq,
      following: store.looking === null,
      status: head?.status ?? store.episode?.status ?? 'queued',
      paused: head?.paused ?? store.episode?.paused ?? false,
      at: head?.at ?? store.episode?.created_at ?? 0,
      complete: complete(store),
      moment,
      previous: this.#previous(moment),
      landmarks: moments.landmarks,
    };
    this.#scrubbed = false;
  }

  /** The board to show the way from: the last one shown, unless this is a scrub, a step back or a leap. */
  #previous(moment: Moment<unknown> | null): unknown {
    const last = this.view;
    if (!moment || !last?.moment || this.#scrubbed) return null;
    if (moment.board === last.moment.board) return last.previous;
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const turns = countNumbersUpTo(starts, moment.seq) - countNumbersUpTo(starts, last.moment.seq);
    return moment.seq > last.seq && turns <= 1 ? last.moment.board : null;
  }
}
