/** The server's REST API for the page. */

import { rooted } from './root';
import { authorization, dropToken, mayAct } from './token';
import type {
  ClipList,
  EpisodeList,
  EpisodeSummary,
  EventPage,
  Glance,
  Highlight,
  Lobby,
  Problem,
  RecordedDecision,
  Session,
  Snapshot,
  Ticket,
} from '../types.gen';

/** An error response with the server's message. `status` is 0 without a response; `field` names the invalid field. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

const UNAUTHORISED = 401;

/** Milliseconds by which the server's clock is ahead of the browser's, from the last response. */
let ahead = 0;

/** Return the time on the server's clock in Unix seconds, accurate to about a second. */
export function serverTime(): number {
  return (Date.now() + ahead) / 1000;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Whether the request outlives the page. */
  keepalive?: boolean;
  body?: string | Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

async function request(path: string, call: Call): Promise<Response> {
  if (!mayAct() && (call.method ?? 'GET') !== 'GET') throw new ApiError(0, 'This page only shows matches.');
  const signed = call.headers?.['Authorization'] ? {} : authorization();
  const response = await fetch(rooted(path), {
    method: call.method ?? 'GET',
    headers: { Accept: 'application/json', ...signed, ...call.headers },
    body: call.body ?? null,
    signal: call.signal ?? null,
    keepalive: call.keepalive ?? false,
  }).catch((error: unknown) => {
    throw call.signal?.aborted ? error : new ApiError(0, 'The server is not responding.');
  });
  // The header has whole seconds, so half a second is added.
  ahead = (Date.parse(response.headers.get('date') ?? '') || Date.now() - 500) + 500 - Date.now();
  if (response.ok) return response;
  if (response.status === UNAUTHORISED && 'Authorization' in signed) {
    // With an expired token the server refuses even public data. The page drops it and shows a notice.
    dropToken();
    return request(path, call);
  }
  const problem = (await response.json().catch(() => null)) as Problem | null;
  const detail = problem?.detail ?? `The server returned status ${response.status}.`;
  throw new ApiError(response.status, detail, problem?.field ?? null);
}

export async function get<T>(path: string, signal?: AbortSignal, headers: Call['headers'] = {}): Promise<T> {
  return (await (await request(path, { signal, headers })).json()) as T;
}

/** Send `body`; return undefined if the response has no content. */
export async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  return (answer ? JSON.parse(answer) : undefined) as T;
}

export async function blob(path: string): Promise<Blob> {
  return (await request(path, { headers: { Accept: '*/*' } })).blob();
}

/** Send a file as it is. */
export async function postFile<T>(path: string, file: File): Promise<T> {
  const headers = { 'Content-Type': 'application/octet-stream' };
  return (await (await request(path, { method: 'POST', headers, body: file })).json()) as T;
}

/** Send `body`, also if the page is closed meanwhile. */
export async function put(path: string, body: unknown): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await request(path, { method: 'PUT', headers, body: JSON.stringify(body), keepalive: true });
}

export async function erase(path: string): Promise<void> {
  await request(path, { method: 'DELETE' });
}

/** Send `body` and return the answer. */
export async function putFor<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  return (await (await request(path, { method: 'PUT', headers, body: JSON.stringify(body) })).json()) as T;
}

/** Return the path of an episode's routes for `get` and `post`. */
export const at = (id: string): string => `/api/episodes/${encodeURIComponent(id)}`;

export const api = {
  session: () => get<Session>('/api/session'),
  /** Return the session that signing in with `secret` would give. */
  sessionOf: (secret: string) => get<Session>('/api/session', undefined, { Authorization: `Bearer ${secret}` }),
  leaveAccount: () => post<undefined>('/oauth/logout', null),
  ticket: () => post<Ticket>('/api/tickets', null),
  episodes: (
    query: {
      status?: EpisodeSummary['status'][];
      limit: number;
      game?: string;
      player?: string;
      without?: string[];
      /** The steps of a training run, which is named by its episode. */
      steps?: { run: string; first: number; last: number };
    },
    signal?: AbortSignal,
  ) => {
    const search = new URLSearchParams({ limit: String(query.limit) });
    if (query.game) search.set('game', query.game);
    if (query.player) search.set('player', query.player);
    for (const status of query.status ?? []) search.append('status', status);
    for (const origin of query.without ?? []) search.append('without', origin);
    if (query.steps) {
      search.set('run', query.steps.run);
      search.set('first_step', String(query.steps.first));
      search.set('last_step', String(query.steps.last));
    }
    return get<EpisodeList>(`/api/episodes?${search}`, signal);
  },
  decisions: (id: string) => get<RecordedDecision[]>(`${at(id)}/decisions`),
  lobby: (signal?: AbortSignal) => get<Lobby>('/api/lobby', signal),
  highlights: (limit: number, signal?: AbortSignal) => get<Highlight[]>(`/api/moments?limit=${limit}`, signal),
  episode: (id: string, signal?: AbortSignal) => get<EpisodeSummary>(at(id), signal),
  /** With the last epoch of an episode that has ended, a whole segment of its events may come from a cache. */
  events: (id: string, as: string, first: number, stop: number, signal?: AbortSignal, epoch?: number) => {
    const search = new URLSearchParams({ as, first: String(first), stop: String(stop) });
    if (epoch !== undefined) search.set('epoch', String(epoch));
    return get<EventPage>(`${at(id)}/events?${search}`, signal);
  },
  glance: (id: string, seq: number, signal?: AbortSignal) => get<Glance>(`${at(id)}/glance?seq=${seq}`, signal),
  snapshot: (id: string, as: string, seq: number, signal?: AbortSignal) =>
    get<Snapshot>(`${at(id)}/snapshot?${new URLSearchParams({ as, seq: String(seq) })}`, signal),
  clips: (id: string, as: string, signal?: AbortSignal) =>
    get<ClipList>(`${at(id)}/clips?${new URLSearchParams({ as })}`, signal),
  /** Return the response with the audio of a clip, which may still be made. */
  clip: (name: string, as: string, signal?: AbortSignal) =>
    request(`/api/clips/${name}?${new URLSearchParams({ as })}`, { headers: { Accept: 'audio/*' }, signal }),
  replayHref: (id: string, as: string) => rooted(`${at(id)}/replay?${new URLSearchParams({ as })}`),
};
