import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { api } from '../../net/api';
import { EPOCH, frames, ID } from '../../testing/episode';
import type { EventPage } from '../../types.gen';
import { EMPTY, firstGap, reduce, type Store } from '../record/store';
import { fillHistory, type Ended } from './history';

const LENGTH = 12;
const ALL = frames(LENGTH);

/** Fill an episode of which only the last number has arrived, from a server that has `known` events, more each time. */
async function filled(known: number[], over: Ended | null): Promise<Store> {
  let store = reduce(EMPTY, { do: 'frames', frames: ALL.slice(-1) });
  vi.spyOn(api, 'events').mockImplementation((_, __, first, stop) => {
    const length = known.length > 1 ? known.shift() : known[0];
    return Promise.resolve({ frames: ALL.slice(0, length).slice(first, stop) } as unknown as EventPage);
  });
  const events = {
    over: () => over,
    gap: () => firstGap(store),
    frames: (some: typeof ALL) => (store = reduce(store, { do: 'frames', frames: some })),
    trouble: () => undefined,
  };
  const done = fillHistory(ID, 'spectator', events as never, new AbortController().signal);
  await vi.runAllTimersAsync();
  await done;
  return store;
}

describe('the history', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it.each([
    ['live', null],
    ['over', { epoch: EPOCH, last_seq: LENGTH - 1 }],
  ] as const)('of a match that is %s is asked for until a server has all of it', async (_, over) => {
    expect((await filled([0, 5, 5, LENGTH], over)).filled).toBe(LENGTH);
  });
});
