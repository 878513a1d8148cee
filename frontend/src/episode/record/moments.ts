/**
 * The moments of an episode: what the page and its board show at every number, computed once and kept. Board states
 * share unchanged parts, so one state per number needs little memory, and scrubbing is a look-up.
 */

import type { Game, Marker, Names, Told } from '../../boards/game';
import { narrate } from '../story/narrate';
import { parts } from '../show/parts';
import { before, fromSummary, step, type MatchInfo } from './matchInfo';
import type { Slot, Store } from './store';
import type { EpisodeSummary, Event, Snapshot } from '../../types.gen';

export interface Moment<S> {
  readonly seq: number;
  readonly shell: MatchInfo;
  readonly board: S;
  /** The event as a sentence, or one line for each part of a batch; '' if it is withheld or has no sentence. */
  readonly text: string;
  /** What the event tells, or each part of a batch; nothing if it is withheld. */
  readonly told: readonly Told[];
  /** Whether it is a step of ←, → and playback. */
  readonly step: boolean;
}

export interface Mark extends Marker {
  readonly seq: number;
}

export interface Tick {
  readonly seq: number;
  readonly turn: string;
}

/** Consecutive moments, starting at number `first`. */
interface Run<S> {
  readonly first: number;
  readonly moments: Moment<S>[];
}

/** The marks and ticks of the timeline. The object is replaced when they change. */
export interface Landmarks {
  readonly marks: readonly Mark[];
  readonly ticks: readonly Tick[];
  /** The numbers that have a sentence: the steps of ← and →, and of playback. */
  readonly steps: readonly number[];
  /** Errors of the board, which the log shows instead of a blank page. */
  readonly broken: readonly Broken[];
}

export interface Broken {
  readonly seq: number;
  readonly reason: string;
}

const SILENT = { text: '', told: [], step: false };
const NONE: Landmarks = { marks: [], ticks: [], steps: [], broken: [] };

export class Moments<S> {
  landmarks = NONE;
  #exact: Run<S> = { first: 0, moments: [] };
  #provisional: Run<S>[] = [];
  #anchors = 0;
  #generation = -1;

  constructor(
    private readonly game: Game<S>,
    private readonly episode: EpisodeSummary,
  ) {}

  /** Return the moment at `seq`, or null if too few events have arrived to compute it. */
  at(store: Store, seq: number): Moment<S> | null {
    this.#sync(store);
    for (const run of [this.#exact, ...this.#provisional]) {
      const moment = seq >= run.first ? this.#extend(run, store.slots, seq) : undefined;
      if (moment) return moment;
    }
    return null;
  }

  /** Compute the moments of all events that have arrived without a gap. */
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
      this.landmarks = NONE;
    }
    for (; this.#anchors < store.anchors.length; this.#anchors++) {
      const anchor = store.anchors[this.#anchors];
      if (!anchor) continue;
      this.#provisional.push({ first: anchor.seq, moments: [this.#fromSnapshot(anchor)] });
    }
    this.#provisional = this.#provisional.filter((run) => run.first >= store.filled);
  }

  #extend(run: Run<S>, slots: readonly Slot[], seq: number): Moment<S> | undefined {
    if (run.first + run.moments.length > seq) return run.moments[seq - run.first];
    const landmarks = { marks: [] as Mark[], ticks: [] as Tick[], steps: [] as number[], broken: [] as Broken[] };
    for (let next = run.first + run.moments.length; next <= seq; next++) {
      const slot = slots[next];
      if (slot === undefined) break;
      const last = run.moments.at(-1) ?? this.#start();
      const moment = slot === null ? { ...last, ...SILENT, seq: next } : this.#step(last, slot, landmarks.broken);
      run.moments.push(moment);
      if (slot && run === this.#exact) {
        if (moment.step) {
          if (sameRound(slots[landmarks.steps.at(-1) ?? -1], slot)) landmarks.steps.pop();
          landmarks.steps.push(next);
        }
        if (moment.shell.turn && moment.shell.turnSeq === next)
          landmarks.ticks.push({ seq: next, turn: moment.shell.turn });
        for (const { marks } of moment.told) landmarks.marks.push(...marks.map((mark) => ({ ...mark, seq: next })));
      }
    }
    if (run === this.#exact) this.#land(landmarks);
    return run.moments[seq - run.first];
  }

  #land(landmarks: Landmarks): void {
    if (!landmarks.marks.length && !landmarks.ticks.length && !landmarks.steps.length && !landmarks.broken.length)
      return;
    const { marks, ticks, steps, broken } = this.landmarks;
    this.landmarks = {
      marks: [...marks, ...landmarks.marks],
      ticks: [...ticks, ...landmarks.ticks],
      steps: [...steps, ...landmarks.steps],
      broken: [...broken, ...landmarks.broken],
    };
  }

  #start(): Moment<S> {
    return { ...SILENT, seq: -1, shell: before(this.episode), board: this.game.begin(this.episode, null) };
  }

  #fromSnapshot(snapshot: Snapshot): Moment<S> {
    let board = this.game.begin(snapshot.episode, snapshot.state_seq == null ? null : snapshot.state);
    let at = 0;
    for (const frame of snapshot.recent) {
      if (frame.frame !== 'event') continue;
      at = frame.event.at;
      for (const part of parts(frame.event)) board = this.#reduce(board, part, []);
    }
    const shell = fromSummary(snapshot.episode);
    return { ...SILENT, seq: snapshot.seq, shell: { ...shell, at: Math.max(at, shell.at) }, board };
  }

  #step(last: Moment<S>, event: Event, broken: Broken[]): Moment<S> {
    let { shell, board } = last;
    const told: Told[] = [];
    for (const part of parts(event)) {
      told.push(narrate(this.game, part, board));
      shell = step(shell, part);
      board = this.#reduce(board, part, broken);
    }
    const text = told.flatMap((each) => each.text || []).join('\n');
    return { seq: event.seq, shell, board, text, told, step: text !== '' && told.some(({ step }) => step) };
  }

  #reduce(state: S, event: Event, broken: Broken[]): S {
    try {
      return this.game.step(state, event);
    } catch (error) {
      broken.push({ seq: event.seq, reason: String(error) });
      return state;
    }
  }
}

/** Return whether `event` goes on with the letters of `last`, or ends their round: they are one step. */
function sameRound(last: Slot | undefined, event: Event): boolean {
  if (!last || last.at !== event.at || !['MessageSent', 'NegotiationHeld'].includes(event.type)) return false;
  return parts(last).some(({ type }) => type === 'MessageSent');
}

/** Return the name of the turn at `seq`, or of the event before the first turn. */
export function placeAt(ticks: readonly Tick[], names: Names, seq: number): string {
  const tick = ticks.findLast((candidate) => candidate.seq <= seq);
  return tick ? names.turn(tick.turn).title : `event ${seq}`;
}
