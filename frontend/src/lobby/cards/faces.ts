/** The players of the matches in the lobby: name, character and record. Pure. */

import { capital } from '../../lib/text';
import type { EpisodeSummary, GameInfo, PlayerRecord } from '../../types.gen';

export interface Face {
  readonly game: string;
  /** The title of the game. */
  readonly title: string;
  readonly name: string;
  /** One line of character. */
  readonly line: string;
  readonly record: string;
  /** The online rating in words, or that the player is new. */
  readonly strength: string;
  /** The option set of the record, '' if there is none. */
  readonly setting: string;
}

/**
 * Return the players who have a seat in `episodes`, in the order of their first seat; at most `limit`. A player without
 * a description is left out.
 */
export function facesOf(
  episodes: readonly EpisodeSummary[],
  games: readonly GameInfo[],
  records: readonly PlayerRecord[],
  limit: number,
): Face[] {
  const faces = new Map<string, Face>();
  for (const { game, seats } of episodes) {
    const info = games.find(({ name }) => name === game);
    for (const { player } of seats) {
      const known = info?.players.find(({ name }) => name === player);
      if (!info || !known?.description || known.kind === 'human') continue;
      const record = mostPlayed(records.filter((each) => each.game === game)).get(player);
      faces.set(`${game}/${player}`, {
        game,
        title: info.title,
        name: player,
        line: withoutName(known.description, player),
        record: recordText(record),
        strength: strengthText(record),
        setting: record?.setting ?? '',
      });
    }
  }
  return [...faces.values()].slice(0, limit);
}

/** Return a description that begins with its player's name and a colon without them: the name stands above it. */
function withoutName(description: string, player: string): string {
  const lead = `${player}: `;
  if (!description.toLowerCase().startsWith(lead.toLowerCase())) return description;
  return capital(description.slice(lead.length));
}

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
