/** The server's REST API, as the page uses it. */

import { authorization } from './lib/token';
import type { EpisodeList, EpisodeSummary, EventPage, Problem, Session, Snapshot, Ticket } from './types.gen';

/** What the server refused, in its own words; `status` 0 where no answer came, `field` the part at fault. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/** Milliseconds that the server's clock is ahead of the browser's, by the last answer. */
let ahead = 0;

/** The time on the server's clock, Unix seconds, to about a second. */
export function serverTime(): number {
  return (Date.now() + ahead) / 1000;
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { ...authorization(), ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header counts whole seconds: half a second is its middle.
  if (date) ahead = date + 500 - Date.now();
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiError(
    response.status,
    problem?.detail ?? `The server answered ${response.status}.`,
    problem?.field ?? null,
  );
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) });
  return (await response.json()) as T;
}

export async function text(path: string, signal?: AbortSignal): Promise<string> {
  return (await request(path, { ...(signal && { signal }) })).text();
}

/** Send `body`; undefined where the answer has no content. */
export async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await request(path, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  return (answer ? JSON.parse(answer) : undefined) as T;
}

/** The path of an episode's routes. */
export const at = (id: string): string => `/api/episodes/${encodeURIComponent(id)}`;

export const api = {
  session: (signal?: AbortSignal) => get<Session>('/api/session', signal),
  ticket: () => post<Ticket>('/api/tickets', null),
  episodes: (query: { status: EpisodeSummary['status'][]; limit: number }, signal?: AbortSignal) => {
    const search = new URLSearchParams({ limit: String(query.limit) });
    for (const status of query.status) search.append('status', status);
    return get<EpisodeList>(`/api/episodes?${search}`, signal);
  },
  episode: (id: string, signal?: AbortSignal) => get<EpisodeSummary>(at(id), signal),
  events: (id: string, as: string, first: number, stop: number, signal?: AbortSignal) =>
    get<EventPage>(`${at(id)}/events?${new URLSearchParams({ as, first: String(first), stop: String(stop) })}`, signal),
  snapshot: (id: string, as: string, seq: number, signal?: AbortSignal) =>
    get<Snapshot>(`${at(id)}/snapshot?${new URLSearchParams({ as, seq: String(seq) })}`, signal),
  replayHref: (id: string, as: string) => `${at(id)}/replay?${new URLSearchParams({ as })}`,
};
