/** What the lobby shows, as the server sends it: once, and then what changes. Pure. */

import type { Lobby } from '../types.gen';

/** A change of the lobby: the fields that changed; of a field with entries, those entries, null for one that has gone. */
export interface LobbyChange {
  /** The version that it follows; '' where it is the whole lobby. */
  readonly after: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

type Entries = Readonly<Record<string, unknown>>;

/** Return `lobby` after `change`; null if the change follows another version. */
export function changed(lobby: Lobby, { after, ...fields }: LobbyChange): Lobby | null {
  if (after === '') return fields as unknown as Lobby;
  if (after !== lobby.version) return null;
  const next: Record<string, unknown> = { ...lobby };
  for (const [name, value] of Object.entries(fields)) next[name] = merged(next[name], value);
  return next as unknown as Lobby;
}

function merged(before: unknown, change: unknown): unknown {
  if (!isEntries(before) || !isEntries(change)) return change;
  const next: Record<string, unknown> = { ...before };
  for (const [key, entry] of Object.entries(change)) {
    const old = next[key];
    if (entry === null) delete next[key];
    else next[key] = isEntries(old) && isEntries(entry) ? { ...old, ...entry } : entry;
  }
  return next;
}

const isEntries = (value: unknown): value is Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
