/**
 * The moments of an episode: what the page and its board show at every number, folded once and kept.
 *
 * Board states share what did not change, so keeping one a number costs little and scrubbing is a look-up.
 */

import type { Board, Marker } from './boards/board';
import { before, fromSummary, step, type Shell } from './shell';
import type { Slot, Store } from './store';
import type { EpisodeSummary, Event, Snapshot } from './types.gen';

export interface Moment<S> {
  readonly seq: number;
  readonly shell: Shell;
  readonly board: S;
}

export interface Mark extends Marker {
  readonly seq: number;
}

export interface Tick {
  readonly seq: number;
  readonly turn: string;
}

/** Consecutive moments from number `first` on. */
interface Run<S> {
  readonly first: number;
  readonly moments: Moment<S>[];
}

export class Moments<S> {
  readonly marks: Mark[] = [];
  readonly ticks: Tick[] = [];
  /** What the board could not take, by number: shown in place of a blank page. */
  readonly broken = new Map<number, string>();
  #exact: Run<S> = { first: 0, moments: [] };
  #provisional: Run<S>[] = [];
  #anchors = 0;
  #generation = -1;

  constructor(
    private readonly board: Board<S>,
    private readonly episode: EpisodeSummary,
  ) {}

  /** The moment of `seq`, or null where too little is here to know it. */
  at(store: Store, seq: number): Moment<S> | null {
    this.#sync(store);
    for (const run of [this.#exact, ...this.#provisional]) {
      const moment = seq >= run.first ? this.#extend(run, store.slots, seq) : undefined;
      if (moment) return moment;
    }
    return null;
  }

  /** Fold everything that is here from number 0 on, for the marks and ticks. */
  foldAll(store: Store): void {
    this.#sync(store);
    if (store.filled) this.#extend(this.#exact, store.slots, store.filled - 1);
  }

  #sync(store: Store): void {
    if (store.generation !== this.#generation) {
      this.#generation = store.generation;
      this.#exact = { first: 0, moments: [] };
      this.#provisional = [];
      this.#anchors = 0;
      this.marks.length = this.ticks.length = 0;
      this.broken.clear();
    }
    for (; this.#anchors < store.anchors.length; this.#anchors++) {
      const anchor = store.anchors[this.#anchors];
      if (anchor) this.#provisional.push({ first: anchor.seq, moments: [this.#fromSnapshot(anchor)] });
    }
    this.#provisional = this.#provisional.filter((run) => run.first >= store.filled);
  }

  #extend(run: Run<S>, slots: readonly Slot[], seq: number): Moment<S> | undefined {
    for (let next = run.first + run.moments.length; next <= seq; next++) {
      const slot = slots[next];
      if (slot === undefined) return undefined;
      const last = run.moments.at(-1) ?? this.#start();
      run.moments.push(slot === null ? { ...last, seq: next } : this.#step(last, slot, run === this.#exact));
    }
    return run.moments[seq - run.first];
  }

  #start(): Moment<S> {
    return { seq: -1, shell: before(this.episode), board: this.board.initial(this.episode, null) };
  }

  #fromSnapshot(snapshot: Snapshot): Moment<S> {
    let board = this.board.initial(snapshot.episode, snapshot.state_seq == null ? null : snapshot.state);
    let at = 0;
    for (const frame of snapshot.recent) {
      if (frame.frame !== 'event') continue;
      at = frame.event.at;
      board = this.#reduce(board, frame.event);
    }
    const shell = fromSummary(snapshot.episode);
    return { seq: snapshot.seq, shell: { ...shell, at: Math.max(at, shell.at) }, board };
  }

  #step(last: Moment<S>, event: Event, marking: boolean): Moment<S> {
    if (marking) this.#mark(last.board, event);
    return { seq: event.seq, shell: step(last.shell, event), board: this.#reduce(last.board, event) };
  }

  #mark(board: S, event: Event): void {
    if (event.type === 'TurnStarted') this.ticks.push({ seq: event.seq, turn: String(event.data['turn']) });
    try {
      for (const marker of this.board.markers(event, board)) this.marks.push({ ...marker, seq: event.seq });
    } catch (error) {
      this.broken.set(event.seq, String(error));
    }
  }

  #reduce(state: S, event: Event): S {
    try {
      return this.board.reduce(state, event);
    } catch (error) {
      this.broken.set(event.seq, String(error));
      return state;
    }
  }
}
