/** One open episode, for components: its feed, record and show, and one view of them per animation frame. */

import { untrack } from 'svelte';

import type { Board } from '../boards/board';
import type { Names, Told } from '../boards/game';
import { expectBoard, loadBoard } from '../boards/registry';
import { Feed, type Failure } from './feed/feed';
import { EpisodeRecord } from './record/record';
import { firstGap, type Action } from './record/store';
import { parts } from './show/parts';
import { Show } from './show/show.svelte';
import { viewOf, type View } from './view';
import type { StreamState } from './feed/stream';
import type { MatchInfo } from './record/matchInfo';
import type { Moment } from './record/moments';
import type { EpisodeSummary, Event, Snapshot } from '../types.gen';

export type { View } from './view';

export interface WatchOptions {
  /** The number to show first; the live end if it is null. */
  seq?: number | null;
  /** The events from `seq` to `last` play by themselves. */
  last?: number | null;
  /** The most milliseconds by which a live match is shown late, step by step; with 0, its head is shown. */
  behind?: number;
}

/** What happens to the episode, and then to the view. */
export interface WatchEvents {
  /** An event, or a part of a batch, has arrived on the stream, whatever moment is shown. */
  event(event: Event): void;
  /** The stream is live, for the first time or again. */
  live(): void;
  /** Another view is shown. */
  view(view: View): void;
  /** The end of a match that is over has been told. */
  ended(view: View): void;
}

/** Milliseconds after which a view that somebody listens to is renewed without an animation frame. */
const LATE = 500;

export class Watch {
  view = $state.raw<View | null>(null);
  episode = $state.raw<EpisodeSummary | null>(null);
  board = $state.raw<Board | null>(null);
  /** The names of the match. The object changes only when the name of a seat changes. */
  names: Names | null = $derived.by(() => {
    const state = this.#seats && untrack(() => this.view?.moment?.board);
    return this.board?.names(state) ?? null;
  });
  connection = $state.raw<StreamState>({ name: 'connecting' });
  /** Why the episode cannot be watched; null if it can. */
  failure = $state.raw<Failure | null>(null);
  /** Why earlier events cannot be fetched. */
  trouble = $state.raw<string | null>(null);
  /** Why another record has replaced the one that was shown. */
  replaced = $state.raw<string | null>(null);
  /** Whether somebody listens, so that the view goes on in a hidden tab, where there are no animation frames. */
  audible = false;
  readonly show: Show;

  #seats = $derived.by(() => {
    const names = this.board?.names(this.view?.moment?.board);
    return JSON.stringify(this.episode?.seats.map(({ seat }) => names?.seat(seat)) ?? '');
  });
  readonly #record = new EpisodeRecord();
  readonly #feed: Feed;
  readonly #paced: boolean;
  #handlers: readonly Partial<WatchEvents>[] = [];
  readonly #first: number | null;
  #expected = false;
  /** Whether the head is known from the stream. */
  #joined = false;
  #pending = 0;
  #late = 0;
  #ended = false;

  constructor(
    readonly id: string,
    readonly as: string,
    { seq = null, last = null, behind = 0 }: WatchOptions = {},
  ) {
    [this.#first, this.#paced] = [seq, behind > 0];
    const seat = as.startsWith('seat:') ? as.slice('seat:'.length) : null;
    this.show = new Show(this.#record, behind, seat, [seq, last], () => this.#schedule());
    this.#feed = new Feed(id, as, {
      snapshot: (snapshot) => this.#join(snapshot),
      frame: (frame) => {
        this.#take({ do: 'frames', frames: [frame] });
        for (const part of frame.frame === 'event' ? parts(frame.event) : []) this.#tell((on) => on.event?.(part));
      },
      frames: (frames) => this.#take({ do: 'frames', frames }),
      gap: () => firstGap(this.#record.store),
      over: () => (this.#record.store.episode?.ended_at ? this.#record.store.episode : null),
      resync: (reason) => {
        this.replaced = reason;
        this.#take({ do: 'resync' });
      },
      state: (state) => {
        this.connection = state;
        if (state.name === 'live') {
          this.#joined = true;
          this.#tell((on) => on.live?.());
        }
        this.#schedule();
      },
      failure: (failure) => (this.failure = failure),
      trouble: (reason) => (this.trouble = reason),
    });
  }

  open(): void {
    expectBoard(this.id);
    this.#feed.open(this.#first);
  }

  close(): void {
    this.#feed.close();
    this.show.director.cut();
    cancelAnimationFrame(this.#pending);
    clearTimeout(this.#late);
    this.#handlers = [];
  }

  /** Call `handlers` after a view has been shown, until the returned function is called. */
  on(handlers: Partial<WatchEvents>): () => unknown {
    this.#handlers = [...this.#handlers, handlers];
    return () => (this.#handlers = this.#handlers.filter((other) => other !== handlers));
  }

  /** Reconnect to the server now. */
  retry(): void {
    this.#feed.retry();
  }

  /** Whether a replay runs. */
  get playing(): boolean {
    return this.show.director.playing;
  }

  /** Whether the view changes by itself: during playback, or while it follows the live end and has more to tell. */
  get moving(): boolean {
    const { view } = this;
    if (this.playing || !view?.following) return this.playing;
    return this.connection.name !== 'complete' || (view.narrated?.seq ?? view.seq) < view.store.head;
  }

  /** Stop at the moment shown if the view changes by itself; else start playback. */
  toggle(): void {
    if (this.moving) this.show.look(this.view?.seq ?? this.show.seq);
    else this.show.resume();
  }

  /** What is known of the match at its head, whatever moment is shown. */
  get head(): MatchInfo | null {
    return this.#record.at(this.#record.head)?.shell ?? null;
  }

  /** Return the moment at `seq`, or null if the events that lead to it have not arrived. */
  at(seq: number): Moment<unknown> | null {
    return this.#record.at(seq);
  }

  /** Return what the parts of the event `seq` tell. */
  readonly told = (seq: number): readonly Told[] => this.at(seq)?.told ?? [];

  /** Return the last sentence up to the moment told, or ''. */
  lastText(): string {
    return this.#record.lastText(this.view?.narrated?.seq ?? -1);
  }

  #join(snapshot: Snapshot): void {
    if (!this.#expected) void this.#prepare(snapshot.episode);
    this.#take({ do: 'snapshot', snapshot });
    this.episode = this.#record.store.episode;
  }

  async #prepare(episode: EpisodeSummary): Promise<void> {
    this.#expected = true;
    const board = await loadBoard(episode.game).catch(() => null);
    if (this.#feed.closed) return;
    if (!board) {
      this.failure = { status: 0, reason: 'Its board could not be fetched. Reload the page to try again.' };
      return;
    }
    this.#record.use(board, episode);
    this.board = board;
    this.#schedule();
  }

  #take(action: Action): void {
    this.#record.take(action);
    this.#schedule();
    void this.#feed.fill();
  }

  #schedule(): void {
    const paint = (): void => {
      const known = this.#record.fold();
      if (known) this.show.arrive(this.#joined);
      cancelAnimationFrame(this.#pending);
      clearTimeout(this.#late);
      this.#pending = this.#late = 0;
      if (known) this.#paint();
    };
    this.#pending ||= requestAnimationFrame(paint);
    if (this.audible) this.#late ||= window.setTimeout(paint, LATE);
  }

  #paint(): void {
    const view = viewOf(this.#record, this.show.playhead, this.#paced);
    this.view = view;
    const ended = this.connection.name === 'complete' && (view.narrated?.seq ?? -1) >= view.store.head;
    const passed = ended && !this.#ended;
    this.#ended = ended;
    this.#tell((on) => {
      on.view?.(view);
      if (passed) on.ended?.(view);
    });
  }

  #tell(what: (handlers: Partial<WatchEvents>) => void): void {
    for (const handlers of this.#handlers) what(handlers);
  }
}
