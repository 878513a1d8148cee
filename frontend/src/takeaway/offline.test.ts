import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { answer, fetcher, snapshotAt, socket, unpacked, type Carried } from './offline';
import { summary } from '../testing/episode';
import type { EventPage, Frame } from '../types.gen';

const event = (seq: number, data: Record<string, unknown>): EventPage['frames'][number] => ({
  frame: 'event',
  event: { episode_id: 'sum-1', epoch: 7, seq, at: seq, type: 'Added', audience: 'public', data },
});
const FRAMES: EventPage['frames'] = [
  event(0, {}),
  event(1, { state: { total: 1 } }),
  { frame: 'withheld', seq: 2 },
  event(3, { state: { total: 3 } }),
  event(4, { state: null }),
];
const CARRIED: Carried = {
  episode: { ...summary, status: 'finished', last_seq: 4 },
  page: { episode_id: 'sum-1', epoch: 7, viewpoint: 'seat:north', first: 0, last_seq: 4, frames: FRAMES },
};
const at = (path: string): unknown => answer(CARRIED, new URL(path, 'file:///home/match.html'));

describe('the server within the file', () => {
  beforeEach(() => {
    vi.stubGlobal('location', { href: 'file:///home/match.html' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('gives the last whole state before a moment, and the frames since', () => {
    expect(snapshotAt(CARRIED, 4)).toMatchObject({
      seq: 4,
      state_seq: 3,
      state: { total: 3 },
      viewpoint: 'seat:north',
    });
    expect(snapshotAt(CARRIED, 4).recent).toEqual([FRAMES[4]]);
    expect(snapshotAt(CARRIED, 2)).toMatchObject({ state_seq: 1, recent: [FRAMES[2]] });
    expect(snapshotAt(CARRIED, 0)).toMatchObject({ state_seq: null, state: null, recent: [FRAMES[0]] });
  });

  it('answers for its episode, under any path that the file lies at', () => {
    expect(at('/home/api/episodes/sum-1')).toBe(CARRIED.episode);
    expect(at('/home/api/episodes/sum-1/events?first=1&stop=3')).toMatchObject({
      first: 1,
      frames: FRAMES.slice(1, 3),
    });
    expect(at('/home/api/episodes/sum-1/snapshot?seq=2')).toMatchObject({ seq: 2 });
    expect(at('/home/api/episodes/sum-1/snapshot?seq=5')).toBeNull();
    expect(at('/home/api/session')).toMatchObject({ role: 'spectator', plays: false, imports: false });
    expect(at('/home/api/episodes?limit=1')).toMatchObject({ total: 1, episodes: [CARRIED.episode] });
    expect(at('/home/api/games')).toBeNull();
    expect(at('/home/api/episodes/sum-1/export/html')).toBeNull();
  });

  it('answers what it does not have, and what would change something, with a problem', async () => {
    const ask = fetcher(Promise.resolve(CARRIED));
    expect((await ask('/api/moments')).status).toBe(404);
    expect((await ask('/api/episodes/sum-1', { method: 'POST' })).status).toBe(404);
    expect(await (await ask('/api/episodes/sum-1')).json()).toEqual(CARRIED.episode);
  });

  it('sends the whole stream at once and closes it as complete', async () => {
    const messages: Frame[] = [];
    const Offline = socket(Promise.resolve(CARRIED));
    const code = await new Promise<number>((resolve) => {
      const open = new Offline('ws://x');
      open.onmessage = ({ data }) => messages.push(JSON.parse(String(data)) as Frame);
      open.onclose = (closed) => resolve(closed.code);
    });
    expect(code).toBe(4500);
    expect(messages).toEqual([{ frame: 'snapshot', snapshot: snapshotAt(CARRIED, 4) }]);
  });

  it('unpacks what the server has packed', async () => {
    const stream = new Blob([JSON.stringify(CARRIED)]).stream().pipeThrough(new CompressionStream('gzip'));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const packed = btoa(String.fromCharCode(...bytes));
    expect(await unpacked(`\n${packed}\n`)).toEqual(CARRIED);
  });

  it('gives the clips that it was made with, and their audio', async () => {
    const name = 'a'.repeat(64);
    const ready = { comment: 1, clip: name, seconds: 1, words: [], whole: true };
    const carried: Carried = {
      ...CARRIED,
      clips: [ready],
      audio: { [name]: { type: 'audio/mpeg', data: btoa('abc') } },
    };
    const get = fetcher(Promise.resolve(carried));
    expect(await (await get('file:///api/episodes/sum-1/clips')).json()).toEqual({ clips: [ready], more: false });
    const clip = await get(`file:///api/clips/${name}`);
    expect([clip.headers.get('content-type'), await clip.text()]).toEqual(['audio/mpeg', 'abc']);
    expect((await get(`file:///api/clips/${'b'.repeat(64)}`)).status).toBe(404);
    expect(at('/home/api/episodes/sum-1/clips')).toEqual({ clips: [], more: false });
  });
});
