/** One open episode, for components: its stream, store, moments and playback. */

import { untrack } from 'svelte';

import { ApiError, api, serverTime } from '../net/api';
import { called, type Board, type LightBoard } from '../boards/board';
import { expectBoard, loadBoard } from '../boards/registry';
import { fillHistory } from './feed/history';
import { browser } from '../net/browser';
import { Director } from './show/director.svelte';
import { Moments, type Landmarks, type Moment } from './record/moments';
import { AT_ONCE, haste, importanceOf, timing, whole, type Timing } from './show/pace';
import { minor } from './show/parts';
import { countNumbersUpTo } from '../lib/search';
import { stepAfter, stepBefore } from './record/steps';
import { outlookAt, StoryLog, type Prospect, type Story } from './story/storyLog';
import { complete, EMPTY, firstGap, reduce, shown, type Action, type Numbered, type Store } from './record/store';
import { Stream, type StreamState } from './feed/stream';
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
  /** The moment whose score may be told, and the one that may be told in words: not before their picture is seen. */
  readonly scored: Moment<unknown> | null;
  readonly narrated: Moment<unknown> | null;
  /** Whether something that has happened is still being shown, or waits for it, while the live end is followed. */
  readonly late: boolean;
  /** The speed of the board's animation, 1 for the usual one. */
  readonly rate: number;
  /** The story up to the head, of which only what is about `narrated` or earlier may be told. */
  readonly story: Story;
  /** The prospects and the headline of `scored`: their figures are those of the board. */
  readonly outlook: Prospect | null;
  /** The board's state one step earlier, if the change may be animated; else null. */
  readonly previous: unknown;
  readonly landmarks: Landmarks;
}

/** A range of events that plays by itself and stops at `last`. */
export interface PlayedRange {
  readonly last: number;
  /** It waits until its events have arrived, plays, and is over when all of it has been told. */
  readonly state: 'waiting' | 'playing' | 'over';
}

/** Milliseconds of silence after which the stream is checked, because a connection can die without notice. */
const QUIET = 30_000;
const GRACE = 5_000;

/** Milliseconds after which a view that somebody listens to is renewed without an animation frame. */
const LATE = 500;

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
  readonly director = new Director({
    next: () => this.#nextStep(),
    take: (timing) => this.#take(timing),
    tell: (what) => this.#tell(what),
    idle: () => this.#idle(),
  });
  /** Whether the board is animated. */
  animated = true;
  /** Whether somebody listens, so that the view goes on in a hidden tab, where there are no animation frames. */
  audible = false;
  /** The range that the address asked for, until the viewer goes elsewhere. */
  range = $state.raw<PlayedRange | null>(null);

  #names = $derived(
    JSON.stringify(this.episode?.seats.map(({ seat }) => this.board?.seat(seat, this.view?.moment?.board)) ?? ''),
  );
  #store: Store = EMPTY;
  #moments: Moments<unknown> | null = null;
  /** The board, or the part of it that a glance needs. */
  #rules: LightBoard | null;
  #stream: Stream;
  #abort = new AbortController();
  #filling = false;
  #pending = 0;
  #late = 0;
  #scrubbed = false;
  #quiet = 0;
  #log = new StoryLog();
  /** The number shown while the live end is followed; -1 before the first view. */
  #playhead = -1;
  /** The numbers whose score and words may be told while a picture unfolds. */
  #held: { scored: number; narrated: number; rate: number } | null = null;
  #planned: { seq: number; from: number } | null = null;

  /**
   * A live match is shown step by step at the pace of what happens, at most `behind` milliseconds late; with 0, the view
   * is at the head. With `last`, the events from `seq` to `last` play by themselves. With `glance`, a card
   * shows the match from its first snapshot on: earlier events are not fetched, nor the rest of the board.
   */
  constructor(
    readonly id: string,
    readonly as: string,
    seq: number | null,
    private readonly behind = 0,
    last: number | null = null,
    private readonly glance: LightBoard | null = null,
  ) {
    this.#rules = glance;
    if (seq !== null) this.#store = reduce(EMPTY, { do: 'look', seq });
    if (seq !== null && last !== null && last > seq) this.range = { last, state: 'waiting' };
    this.#stream = new Stream(
      id,
      as,
      {
        snapshot: (snapshot) => this.#join(snapshot),
        frame: (frame) => {
          this.#watchSilence();
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
    if (!this.glance) expectBoard(this.id);
    this.#stream.open();
    if (this.#store.looking !== null) void this.#firstLook(this.#store.looking);
  }

  close(): void {
    this.#stream.close();
    this.#abort.abort();
    this.director.cut();
    clearTimeout(this.#quiet);
    cancelAnimationFrame(this.#pending);
    clearTimeout(this.#late);
  }

  /** Reconnect to the server now. */
  retry(): void {
    this.#stream.retry();
  }

  /** Show any number `seq` at once, without animation. */
  look(seq: number): void {
    this.#scrubbed = true;
    this.#stop();
    this.#dispatch({ do: 'look', seq });
  }

  /** Follow the live end, or show the last moment of a finished episode. */
  follow(): void {
    this.#stop();
    this.#playhead = -1;
    this.#dispatch({ do: 'follow' });
  }

  /** Show a live match at its head now, without what is left to show of the way there. */
  skip(): void {
    if (this.#store.looking !== null) return;
    this.follow();
  }

  /** Go on at the end of the range. */
  watchOn(): void {
    const past = stepAfter(this.#landmarks.steps, this.#shown()) === undefined;
    this.range = null;
    if (past) this.follow();
    else this.#play();
  }

  /** Show the next step as in playback. */
  next(): void {
    this.#stop();
    const seq = this.#shown();
    const next = stepAfter(this.#landmarks.steps, seq);
    if (next === undefined) return this.follow();
    this.#planned = { seq: next, from: seq };
    this.director.once(this.#timing(seq, next, 1));
  }

  back(): void {
    const seq = this.#shown();
    this.look(stepBefore(this.#landmarks.steps, seq) ?? 0);
  }

  /** Return the first number of the turn that is `by` turns away from the one shown. */
  turn(by: 1 | -1): void {
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const seq = this.#shown();
    const target = by > 0 ? stepAfter(starts, seq) : stepBefore(starts, seq);
    if (by > 0 && target === undefined) this.follow();
    else this.look(target ?? 0);
  }

  /** The first moment with something to see: the first turn. */
  get start(): number {
    return this.#landmarks.ticks[0]?.seq ?? 0;
  }

  /** Show the first turn and play from there. */
  replay(): void {
    this.look(this.start);
    this.#play();
  }

  /** Whether the view changes by itself: during playback, or while it follows the live end and all has not been told. */
  get moving(): boolean {
    const { view } = this;
    if (this.director.playing || !view?.following) return this.director.playing;
    return this.connection.name !== 'complete' || (view.narrated?.seq ?? view.seq) < view.store.head;
  }

  /**
   * Stop at the moment shown if the view changes by itself; else start playback there, or from the start at the end.
   */
  toggle(): void {
    if (this.moving) return this.look(this.#shown());
    const atEnd = stepAfter(this.#landmarks.steps, this.#shown()) === undefined;
    if (this.#store.looking === null || atEnd) this.replay();
    else this.#play();
  }

  /** Set the dial of the viewer's own pace. */
  setDial(id: string): void {
    this.director.setDial(id);
    if (this.#store.looking === null) this.follow();
  }

  /** Return the sentence of `seq`, or null if it has not arrived. */
  text(seq: number): string | null {
    return this.#moments?.at(this.#store, seq)?.text ?? null;
  }

  /** Return the last sentence up to the moment shown, or ''. */
  lastText(): string {
    const seq = this.view?.narrated?.seq ?? -1;
    for (let back = seq; back >= 0; back--) {
      const slot = this.#store.slots[back];
      if (slot === undefined) break;
      const text =
        slot && this.#rules && slot.type !== 'TurnStarted' && !minor(this.#rules, slot) ? this.text(back) : '';
      if (text) return text;
    }
    return '';
  }

  get #landmarks(): Landmarks {
    return this.#moments?.landmarks ?? { marks: [], ticks: [], steps: [], broken: [] };
  }

  /** Return the number to show: of the moment looked at, or of the playhead that follows the live end. */
  #shown(): number {
    const paced = this.behind > 0 && this.#store.looking === null && this.#playhead >= 0;
    return paced ? Math.min(this.#playhead, this.#store.head) : shown(this.#store);
  }

  #play(): void {
    this.director.playing = true;
    this.director.run();
  }

  #stop(): void {
    this.range = null;
    this.director.cut();
    this.#held = null;
    this.#planned = null;
  }

  /** Plan the next step of playback, or of the live match that is followed. */
  #nextStep(): Timing | null {
    const following = this.#store.looking === null;
    const { dial } = this.director;
    if (following ? !this.behind : !this.director.playing) return null;
    const { steps, marks } = this.#landmarks;
    const seq = this.#shown();
    const important = (next: number, at: number): boolean =>
      importanceOf(this.#log.story.importance, marks, steps[at - 1] ?? -1, next) >= dial.from;
    const first = countNumbersUpTo(steps, seq);
    const at = steps.findIndex((next, n) => n >= first && important(next, n));
    const next = steps[at];
    if (next === undefined || (this.range && next > this.range.last)) return null;
    const from = Math.max(seq, steps[at - 1] ?? 0);
    this.#planned = { seq: next, from };
    return this.#timing(from, next, following ? this.#haste(steps.slice(first)) : 1);
  }

  /** Return the share of the usual time for the first of the steps of a live match that wait. */
  #haste(waiting: readonly number[]): number {
    const now = serverTime() - (this.#store.episode?.delay ?? 0);
    let from = this.#shown();
    const queue = waiting.map((next) => {
      const usual = whole(this.#timing(from, next, 1));
      from = next;
      return { usual, age: 1000 * (now - (this.#store.slots[next]?.at ?? now)) };
    });
    return haste(queue, this.behind);
  }

  #timing(from: number, seq: number, share: number): Timing {
    const before = this.#moments?.at(this.#store, from);
    const after = this.#moments?.at(this.#store, seq);
    if (!before || !after) return AT_ONCE;
    const unfolding = this.#rules?.unfold?.(before.board, after.board) ?? { picture: 0, score: 0 };
    const importance = importanceOf(this.#log.story.importance, this.#landmarks.marks, from, seq);
    const usual = timing({ unfolding, importance, length: after.text.length }, this.director.dial, share);
    return this.animated ? usual : { picture: 0, score: 0, rest: whole(usual), rate: 0 };
  }

  #take({ picture, score, rate }: Timing): void {
    if (!this.#planned) return;
    const { seq, from } = this.#planned;
    this.#held = { scored: picture > 0 ? from : seq, narrated: picture + score > 0 ? from : seq, rate };
    this.#scrubbed = rate === 0;
    if (this.#store.looking !== null) return this.#dispatch({ do: 'look', seq });
    this.#playhead = seq;
    this.#schedule();
  }

  #tell(what: 'score' | 'words'): void {
    const held = this.#held;
    if (!held) return;
    const seq = this.#shown();
    this.#held = { ...held, scored: seq, narrated: what === 'words' ? seq : held.narrated };
    this.#schedule();
  }

  /** Nothing is left to show: follow the head, which has no more steps, or end the replay. */
  #idle(): void {
    this.#held = null;
    this.#planned = null;
    if (this.#store.looking === null) {
      if (this.#playhead === this.#store.head) return;
      this.#playhead = this.#store.head;
    } else if (this.director.playing && this.range) {
      this.director.playing = false;
      this.range = { ...this.range, state: 'over' };
    } else if (this.director.playing) {
      this.director.playing = false;
      this.#playhead = -1;
      this.#store = reduce(this.#store, { do: 'follow' });
    }
    this.#schedule();
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
    this.#dispatch({ do: 'snapshot', snapshot, alone: this.glance !== null });
    this.episode = this.#store.episode;
  }

  async #prepare(episode: EpisodeSummary): Promise<void> {
    const board = this.glance ? null : await loadBoard(episode.game).catch(() => null);
    const rules = this.glance ?? board;
    if (!rules) {
      this.failure = { status: 0, reason: 'Its board could not be fetched. Reload the page to try again.' };
      return;
    }
    if (this.#abort.signal.aborted || this.#moments) return;
    this.#moments = new Moments(rules, episode);
    this.#rules = rules;
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
    this.#watchSilence();
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

  #watchSilence(): void {
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
      this.#watchSilence();
    }, GRACE);
  }

  #schedule(): void {
    const paint = (): void => {
      cancelAnimationFrame(this.#pending);
      clearTimeout(this.#late);
      this.#pending = this.#late = 0;
      this.#paint();
    };
    this.#pending ||= requestAnimationFrame(paint);
    if (this.audible) this.#late ||= window.setTimeout(paint, LATE);
  }

  #paint(): void {
    const store = this.#store;
    const moments = this.#moments;
    if (!moments || store.head < 0) return;
    moments.foldAll(store);
    const story = this.#log.read(store);
    this.#advance(store);
    this.#playRange(store);
    const seq = this.#shown();
    const moment = moments.at(store, seq);
    const held = this.#held;
    const narrated = held ? moments.at(store, held.narrated) : moment;
    const scored = held ? moments.at(store, held.scored) : moment;
    const following = this.#store.looking === null;
    const head = moments.at(store, store.head)?.shell;
    // What a viewer who follows is told of the match is no later than what has been seen.
    const shell = following ? (narrated?.shell ?? head) : head;
    this.view = {
      store: this.#store,
      seq,
      following,
      status: shell?.status ?? store.episode?.status ?? 'queued',
      paused: shell?.paused ?? store.episode?.paused ?? false,
      at: head?.at ?? store.episode?.created_at ?? 0,
      complete: complete(store),
      moment,
      scored,
      narrated,
      late:
        following &&
        this.behind > 0 &&
        ((held !== null && held.narrated !== seq) || stepAfter(moments.landmarks.steps, seq) !== undefined),
      rate: held?.rate || 1,
      story,
      outlook: scored && outlookAt(story, scored.seq),
      previous: this.#previous(moment),
      landmarks: moments.landmarks,
    };
    this.#scrubbed = false;
  }

  /** Let the playhead take the steps that have arrived, or follow the head if nobody watches or the pace is off. */
  #advance(store: Store): void {
    if (!this.behind || store.looking !== null) return;
    if (this.#playhead < 0 || this.#playhead > store.head || this.director.dial.factor === 0 || document.hidden) {
      this.#stop();
      this.#playhead = store.head;
    } else this.director.run();
  }

  /** Begin to play the range once all its events have arrived. */
  #playRange(store: Store): void {
    if (this.range?.state !== 'waiting' || store.filled <= Math.min(this.range.last, store.head)) return;
    this.range = { ...this.range, state: 'playing' };
    this.#play();
  }

  /** Return the last board state shown, from which to animate, unless this is a scrub, a step back or a jump. */
  #previous(moment: Moment<unknown> | null): unknown {
    const last = this.view;
    if (!moment || !last?.moment || this.#scrubbed) return null;
    const from = this.#planned?.seq === moment.seq ? this.#moments?.at(this.#store, this.#planned.from) : undefined;
    if (from) return from.board;
    if (moment.board === last.moment.board) return last.previous;
    const starts = this.#landmarks.ticks.map((tick) => tick.seq);
    const turns = countNumbersUpTo(starts, moment.seq) - countNumbersUpTo(starts, last.moment.seq);
    return moment.seq > last.seq && turns <= 1 ? last.moment.board : null;
  }
}
