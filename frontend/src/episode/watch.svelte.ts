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

/** The current view. The object is replaced at most once per animation frame. */
export interface View {
  readonly store: Store;
  readonly seq: number;
  readonly following: boolean;
  /** The status of the match at its head, whatever moment is shown. */
  readonly status: EpisodeSummary['status'];
  readonly paused: boolean;
  /** Time of the last event at the head, in Unix seconds. */
  readonly at: number;
  /** Whether all events from 0 to the head have arrived. */
  readonly complete: boolean;
  /** Null if the events that lead to `seq` have not arrived. */
  readonly moment: Moment<unknown> | null;
  /** The board's state one step earlier, if the change may be animated; else null. */
  readonly previous: unknown;
  readonly landmarks: Landmarks;
}

/** Milliseconds of silence after which the stream is checked, because a connection can die without notice. */
const QUIET = 30_000;
const GRACE = 5_000;

export class Watch {
  view = $state.raw<View | null>(null);
  episode = $state.raw<EpisodeSummary | null>(null);
  board = $state.raw<Board | null>(null);
  /** The board with the seat names of the match. The object changes only when a name changes. */
  called = $derived.by(() => {
    const state = this.#names && untrack(() => this.view?.moment?.board);
    return this.board && called(this.board, state);
  });
  connection = $state.raw<StreamState>({ name: 'connecting' });
  /** Why the episode cannot be watched; null if it can. */
  failure = $state.raw<{ status: number; reason: string } | null>(null);
  /** Why earlier events cannot be fetched. */
  trouble = $state.raw<string | null>(null);
  /** Why another record has replaced the one that was shown. */
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

  /** Reconnect to the server now. */
  retry(): void {
    this.#stream.retry();
  }

  /** Show any number `seq` at once, without animation. */
  look(seq: number): void {
    this.#scrubbed = true;
    this.playback.pause();
    this.#dispatch({ do: 'look', seq });
  }

  /** Follow the live end, or show the last moment of a finished episode. */
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

  /** Return the first number of the turn that is `by` turns away from the one shown. */
  turn(by: 1 | -1): void {
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const seq = shown(this.#store);
    const target = by > 0 ? stepAfter(starts, seq) : stepBefore(starts, seq);
    if (by > 0 && target === undefined) this.follow();
    else this.look(target ?? 0);
  }

  /** Whether the view changes by itself: during playback, or while it follows the live end. */
  get moving(): boolean {
    return this.playback.playing || (this.view?.following === true && this.connection.name !== 'complete');
  }

  /**
   * Stop at the moment shown if the view changes by itself; else start playback there, or from the start at the end.
   */
  toggle(): void {
    if (this.moving) return this.look(shown(this.#store));
    const atEnd = stepAfter(this.#landmarks.steps, shown(this.#store)) === undefined;
    if (this.#store.looking === null || atEnd) this.#dispatch({ do: 'look', seq: 0 });
    this.playback.play();
  }

  /** Return the sentence of `seq`, or null if it has not arrived. */
  text(seq: number): string | null {
    return this.#moments?.at(this.#store, seq)?.text ?? null;
  }

  /** Return the last sentence up to the moment shown, or ''. */
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

  /** Take one step forward; after the last step, follow the live end. */
  #forward(): boolean {
    const next = stepAfter(this.#landmarks.steps, shown(this.#store));
    this.#dispatch(next === undefined ? { do: 'follow' } : { do: 'look', seq: next });
    return next !== undefined;
  }

  #due(speed: Speed): number {
    const seq = shown(this.#store);
    return wait(this.#store.slots, seq, stepAfter(this.#landmarks.steps, seq) ?? seq, speed);
  }

  /** Show the linked moment before the events leading to it have arrived. */
  async #firstLook(seq: number): Promise<void> {
    try {
      this.#join(await api.snapshot(this.id, this.as, seq, this.#abort.signal));
    } catch (error) {
      // A number that does not exist yet is shown as the live end, which the stream sends.
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
    // No frame has ever arrived: request the reason, which a refused handshake does not give.
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

  /** After a long silence, continue if the server has nothing new, else resume on a new connection. */
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

  /** Return the last board state shown, from which to animate, unless this is a scrub, a step back or a jump. */
  #previous(moment: Moment<unknown> | null): unknown {
    const last = this.view;
    if (!moment || !last?.moment || this.#scrubbed) return null;
    if (moment.board === last.moment.board) return last.previous;
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const turns = countNumbersUpTo(starts, moment.seq) - countNumbersUpTo(starts, last.moment.seq);
    return moment.seq > last.seq && turns <= 1 ? last.moment.board : null;
  }
}
