/** The players of the matches in the lobby: name, character and record. Pure. */

import { capital } from '../../lib/text';
import type { EpisodeSummary, GameInfo, PlayerRecord } from '../../types.gen';
import { mostPlayed, recordText, strengthText } from '../../ui/playerRecord';

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
 * Return the players who have a seat in `episodes`: those with a rating first, then in the order of the games and of
 * their first seats; at most `limit`. A player without a description is left out.
 */
export function facesOf(
  episodes: readonly EpisodeSummary[],
  games: readonly GameInfo[],
  records: readonly PlayerRecord[],
  limit: number,
): Face[] {
  const faces = new Map<string, Face & { readonly rated: boolean }>();
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
        rated: record?.rating?.mean != null,
      });
    }
  }
  const order = new Map(games.map(({ name }, index) => [name, index]));
  const place = ({ game }: Face): number => order.get(game) ?? games.length;
  return [...faces.values()].sort((a, b) => Number(b.rated) - Number(a.rated) || place(a) - place(b)).slice(0, limit);
}

/** Return a description that begins with its player's name and a colon without them: the name stands above it. */
function withoutName(description: string, player: string): string {
  const lead = `${player}: `;
  if (!description.toLowerCase().startsWith(lead.toLowerCase())) return description;
  return capital(description.slice(lead.length));
}
