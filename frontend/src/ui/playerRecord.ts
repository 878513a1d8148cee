/** A player's record in words. */

import type { PlayerRecord } from '../types.gen';

/** Return a player's record in words. A seat counts if the player made every decision itself. */
export function recordText(record: PlayerRecord | undefined): string {
  if (!record?.scored) return 'No finished match yet';
  return `Won ${record.wins} of ${record.scored} ${record.scored === 1 ? 'seat' : 'seats'}`;
}

/** Return the record of each player in the option set in which it has most seats that count. */
export function mostPlayed(records: readonly PlayerRecord[]): Map<string, PlayerRecord> {
  const most = new Map<string, PlayerRecord>();
  for (const record of records) {
    const other = most.get(record.player);
    if (!other || record.scored > other.scored) most.set(record.player, record);
  }
  return most;
}

/** Return a player's online rating like `Rating 1623 ± 80`; a player with too few matches for one is new. */
export function strengthText(record: PlayerRecord | undefined): string {
  const { mean, low, high } = record?.rating ?? {};
  if (mean != null && low != null && high != null)
    return `Rating ${mean.toFixed(0)} ± ${((high - low) / 2).toFixed(0)}`;
  const matches = record?.rating?.n ?? 0;
  return matches ? `New: ${matches} ${matches === 1 ? 'match' : 'matches'}` : 'New';
}
