/**
 * The frames of one episode, as a pure reducer without rules, clock or I/O. Frames may arrive in any order and more
 * than once: live or fetched later. Each number is filled once, and the resulting store does not depend on the order.
 */

import type { EpisodeSummary, Event, EventFrame, Snapshot, WithheldFrame } from '../../types.gen';

export type Numbered = EventFrame | WithheldFrame;

/** The content of one number: an event; null if it is withheld from this viewer; undefined if it has not arrived. */
export type Slot = Event | null | undefined;

export interface Store {
  /** The latest summary from the server; null before the first snapshot. */
  readonly episode: EpisodeSummary | null;
  readonly slots: readonly Slot[];
  /** The last number known to exist; -1 if none is known. */
  readonly head: number;
  /** The number up to which all events have arrived, exclusive. */
  readonly filled: number;
  /** Moments that can be shown before the events leading to them have arrived. */
  readonly anchors: readonly Snapshot[];
  /**
   * Incremented when the contents are dropped for another record; derived values of earlier generations are then
   * invalid.
   */
  readonly generation: number;
}

export type Action =
  { do: 'frames'; frames: readonly Numbered[] } | { do: 'snapshot'; snapshot: Snapshot } | { do: 'resync' };

export const EMPTY: Store = {
  episode: null,
  slots: [],
  head: -1,
  filled: 0,
  anchors: [],
  generation: 0,
};

export function reduce(store: Store, action: Action): Store {
  switch (action.do) {
    case 'frames':
      return fill(store, action.frames);
    case 'snapshot':
      return join(store, action.snapshot);
    case 'resync':
      return { ...EMPTY, episode: store.episode, generation: store.generation + 1 };
  }
}

export function seqOf(frame: Numbered): number {
  return frame.frame === 'event' ? frame.event.seq : frame.seq;
}

/** Return whether all events from the first to the head have arrived. */
export function complete(store: Store): boolean {
  return store.head >= 0 && store.filled === store.head + 1;
}

/** Return the first range of missing numbers as [first, stop), or null. */
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
