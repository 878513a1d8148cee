/**
 * The server of a page that carries its episode with it: requests and streams are answered from the page itself, and
 * none leaves it.
 */

import type { ClipList, EpisodeSummary, EventPage, Problem, Session, Snapshot, VoiceReady } from '../types.gen';

/** The content of the file. */
export interface Carried {
  episode: EpisodeSummary;
  /** Every event that the viewpoint of the file may know. */
  page: EventPage;
  /** The clips of its lines, if the file was made with them. */
  clips?: VoiceReady[];
  /** The audio of each clip by its name, in base64. */
  audio?: Record<string, { type: string; data: string }>;
}

type Numbered = EventPage['frames'][number];

const SPECTATOR: Session = { role: 'spectator', mode: 'closed', plays: false, imports: false, endpoints: [] };
const COMPLETE = 4500;

export const seqOf = (frame: Numbered): number => (frame.frame === 'event' ? frame.event.seq : frame.seq);

/** Return a snapshot of the moment `seq`: the last whole state up to it, and the frames since. */
export function snapshotAt({ episode, page }: Carried, seq: number): Snapshot {
  let stateSeq: number | null = null;
  let state: unknown = null;
  for (const frame of page.frames) {
    if (seqOf(frame) > seq) break;
    const whole = frame.frame === 'event' ? frame.event.data['state'] : null;
    if (whole == null) continue;
    stateSeq = seqOf(frame);
    state = whole;
  }
  const first = stateSeq === null ? 0 : stateSeq + 1;
  return {
    episode,
    viewpoint: page.viewpoint,
    epoch: page.epoch,
    seq,
    state_seq: stateSeq,
    state,
    recent: page.frames.slice(first, seq + 1),
  };
}

/** Return the body of the answer to a GET of the API; null where the file has nothing there. */
export function answer(carried: Carried, url: URL): unknown {
  const { episode, page } = carried;
  const [, resource, id, part] = /\/api\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(url.pathname) ?? [];
  const number = (name: string, otherwise: number): number => Number(url.searchParams.get(name) ?? otherwise);
  if (resource === 'session') return SPECTATOR;
  if (resource !== 'episodes') return null;
  if (id === undefined)
    return { episodes: [episode], total: 1, viewers: {}, queue: [], lanes: [], waiting: [], awaited: [] };
  if (part === undefined) return episode;
  if (part === 'snapshot') {
    const seq = number('seq', page.last_seq);
    return seq <= page.last_seq ? snapshotAt(carried, seq) : null;
  }
  if (part === 'clips') return { clips: carried.clips ?? [], more: false } satisfies ClipList;
  if (part !== 'events') return null;
  const first = number('first', 0);
  return { ...page, first, frames: page.frames.slice(first, number('stop', page.frames.length)) };
}

/** Return the answer to a request for the audio of a clip; null if the file does not have it. */
export function audio(carried: Carried, url: URL): Response | null {
  const [, name = ''] = /\/api\/clips\/([0-9a-f]{64})$/.exec(url.pathname) ?? [];
  const clip = carried.audio?.[name];
  if (!clip) return null;
  const data = decoded(clip.data);
  return new Response(data, { headers: { 'content-type': clip.type, 'content-length': String(data.length) } });
}

/** Return a function in place of `fetch`. */
export function fetcher(carried: Promise<Carried>): typeof fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const url = new URL(address, location.href);
    const clip = audio(await carried, url);
    if (clip) return clip;
    const body = init?.method && init.method !== 'GET' ? null : answer(await carried, url);
    const problem: Problem = {
      type: 'about:blank',
      title: 'Not in this file',
      status: 404,
      detail: 'This file contains one episode only.',
    };
    return Response.json(body ?? problem, { status: body === null ? 404 : 200 });
  };
}

/** Return a class in place of `WebSocket`: it sends the whole episode and closes. */
export function socket(carried: Promise<Carried>): typeof WebSocket {
  class OfflineSocket {
    onopen: (() => void) | null = null;
    onmessage: ((message: { data: unknown }) => void) | null = null;
    onclose: ((closed: { code: number; reason: string }) => void) | null = null;
    #closed = false;

    constructor() {
      void carried.then((content) => this.#send(content));
    }

    close(): void {
      this.#closed = true;
    }

    #send(content: Carried): void {
      if (this.#closed) return;
      this.onopen?.();
      const snapshot = snapshotAt(content, content.page.last_seq);
      this.onmessage?.({ data: JSON.stringify({ frame: 'snapshot', snapshot }) });
      this.onclose?.({ code: COMPLETE, reason: '' });
    }
  }
  return OfflineSocket as unknown as typeof WebSocket;
}

/** Return the content of the file, which is JSON, packed with gzip and written in base64. */
export async function unpacked(text: string): Promise<Carried> {
  const stream = new Blob([decoded(text.trim())]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as Carried;
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
