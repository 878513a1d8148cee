import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Watch } from '../../episode/watch.svelte';
import { ApiError } from '../../net/api';
import { calls } from '../../net/calls';
import type { SeatView } from '../../types.gen';
import { SeatPlay } from './seatPlay.svelte';

const VIEW = { episode_id: 'e', seat: 'FRANCE', index: 3, number: 5, asked: 'choose', text: '', ready: false };

/** The requests that save a draft, in the order in which they were made; each is answered by the test. */
let requests: { action: unknown; answer: (error?: ApiError) => void }[];

/** Change the draft, and wait until it would have been sent. */
async function change(play: SeatPlay, order: string): Promise<void> {
  play.change({ orders: [order] });
  await vi.advanceTimersByTimeAsync(1000);
}

/** Answer a request, and wait until the answer has been handled. */
async function answered(number: number, error?: ApiError): Promise<void> {
  requests[number]?.answer(error);
  await vi.advanceTimersByTimeAsync(0);
}

async function seated(): Promise<SeatPlay> {
  const watch = { id: 'e', on: () => () => undefined, head: null };
  const play = new SeatPlay(watch as unknown as Watch, 'FRANCE');
  play.look();
  await vi.advanceTimersByTimeAsync(0);
  return play;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('removeEventListener', () => undefined);
  requests = [];
  vi.spyOn(calls, 'seat').mockResolvedValue(VIEW as unknown as SeatView);
  vi.spyOn(calls, 'choices').mockReturnValue(new Promise(() => undefined));
  vi.spyOn(calls, 'saveDraft').mockImplementation(
    (_id, _seat, { action }) =>
      new Promise((done, fail) => requests.push({ action, answer: (error) => (error ? fail(error) : done()) })),
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the draft of a seat', () => {
  it('is saved only once the server has it', async () => {
    const play = await seated();
    await change(play, 'A PAR - BUR');
    expect(requests).toHaveLength(1);
    expect(play.saved).toBe(false);
    await answered(0);
    expect(play.saved).toBe(true);
  });

  it('is saved by one request after another, the last change last', async () => {
    const play = await seated();
    for (const order of ['1', '2', '3']) await change(play, order);
    expect(requests.map(({ action }) => action)).toEqual([{ orders: ['1'] }]);
    await answered(0);
    expect(requests.map(({ action }) => action)).toEqual([{ orders: ['1'] }, { orders: ['3'] }]);
    expect(play.saved).toBe(false);
    await answered(1);
    expect(play.saved).toBe(true);
  });

  it('is saved again after a failure of the network, and not after the turn has passed', async () => {
    const play = await seated();
    await change(play, '1');
    await answered(0, new ApiError(503, 'busy'));
    await vi.advanceTimersByTimeAsync(2000);
    expect(requests).toHaveLength(2);
    expect(play.saved).toBe(false);
    await answered(1, new ApiError(409, 'index: the turn 3 has passed'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(2);
  });

  it('is sent at once when the page is left, also during the request for an earlier one', async () => {
    const play = await seated();
    await change(play, '1');
    play.change({ orders: ['2'] });
    vi.stubGlobal('document', { removeEventListener: () => undefined });
    play.close();
    expect(requests.map(({ action }) => action)).toEqual([{ orders: ['1'] }, { orders: ['2'] }]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveLength(2);
  });
});
