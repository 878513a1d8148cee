/** The server's REST API, as the page uses it. */

import type { EpisodeList, EpisodeSummary, EventPage, Problem, Snapshot } from './types.gen';

/** What the server refused, in its own words; `status` 0 where no answer came. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new ApiError(response.status, problem?.detail ?? `The server answered ${response.status}.`);
}

const at = (id: string): string => `/api/episodes/${encodeURIComponent(id)}`;

export const api = {
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
