/**
 * What the page holds of one episode, as a pure reducer over frames. No rules, no clock, no I/O.
 *
 * Frames may come in any order: live, back-filled, twice. Every number is filled once, and where they are all there
 * the store is the same, whatever the order was.
 */

import type { EpisodeSummary, Event, EventFrame, Snapshot, WithheldFrame } from '../types.gen';

export type Numbered = EventFrame | WithheldFrame;

/** What is known of one number: the event; null, withheld from this viewer; undefined, not here yet. */
export type Slot = Event | null | undefined;

export interface Store {
  /** The latest summary that the server gave; null before the first snapshot. */
  readonly episode: EpisodeSummary | null;
  readonly slots: readonly Slot[];
  /** The last number known to exist; -1 for none. */
  readonly head: number;
  /** How many numbers are here without a gap, from 0. */
  readonly filled: number;
  /** Moments that can be shown before what led to them is here. */
  readonly anchors: readonly Snapshot[];
  /** The number looked at; null follows the live end. */
  readonly looking: number | null;
  /** Grows when what was here is dropped for another record: nothing derived before it holds. */
  readonly generation: number;
}

export type Action =
  | { do: 'frames'; frames: readonly Numbered[] }
  | { do: 'snapshot'; snapshot: Snapshot }
  | { do: 'resync' }
  | { do: 'look'; seq: number }
  | { do: 'follow' };

export const EMPTY: Store = {
  episode: null,
  slots: [],
  head: -1,
  filled: 0,
  anchors: [],
  looking: null,
  generation: 0,
};

export function reduce(store: Store, action: Action): Store {
  switch (action.do) {
    case 'frames':
      return fill(store, action.frames);
    case 'snapshot':
      return join(store, action.snapshot);
    case 'resync':
      return { ...EMPTY, episode: store.episode, looking: store.looking, generation: store.generation + 1 };
    case 'look':
      return { ...store, looking: Math.max(0, Math.round(action.seq)) };
    case 'follow':
      return { ...store, looking: null };
  }
}

export function seqOf(frame: Numbered): number {
  return frame.frame === 'event' ? frame.event.seq : frame.seq;
}

/** The number shown: the one looked at, as far as it has happened, or the live end. -1 before anything is known. */
export function shown(store: Store): number {
  return store.looking === null ? store.head : Math.min(store.looking, store.head);
}

/** Whether every event from 0 to the head is here. */
export function complete(store: Store): boolean {
  return store.head >= 0 && store.filled === store.head + 1;
}

/** The first run of missing numbers as [first, stop), or null where there is none. */
export function firstGap(store: Store): [first: number, stop: number] | null {
  if (store.filled > store.head) return null;
  let stop = store.filled;
  while (stop <= store.head && store.slots[stop] === undefined) stop++;
  return [store.filled, stop];
}

function fill(store: Store, frames: readonly Numbered[]): Store {
  const slots = store.slots.slice();
  let { head, filled } = store;
  let changed = false;
  for (const frame of frames) {
    const seq = seqOf(frame);
    if (slots[seq] !== undefined) continue;
    slots[seq] = frame.frame === 'event' ? frame.event : null;
    head = Math.max(head, seq);
    changed = true;
  }
  if (!changed) return store;
  while (filled <= head && slots[filled] !== undefined) filled++;
  return { ...store, slots, head, filled };
}

function join(store: Store, snapshot: Snapshot): Store {
  const newest = store.episode === null || snapshot.episode.last_seq >= store.episode.last_seq;
  const joined = {
    ...store,
    episode: newest ? snapshot.episode : store.episode,
    head: Math.max(store.head, snapshot.seq),
    anchors: [...store.anchors, snapshot],
  };
  return fill(joined, snapshot.recent);
}
