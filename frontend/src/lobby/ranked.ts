/** The seats of a match in the order of the standing, by the names of the match. */

import type { Game, SeatLook } from '../boards/game';
import type { EpisodeSummary, Glance } from '../types.gen';

export interface Ranked extends SeatLook {
  readonly seat: string;
  /** The current player. */
  readonly player: string;
  /** The score of the seat; '' before the standing has arrived. */
  readonly figure: string;
}

/** Return the seats: winners first, then by what the game counts, then by score. */
export function ranked(
  episode: EpisodeSummary,
  game: Pick<Game, 'begin' | 'names'>,
  glance: Glance | undefined,
): Ranked[] {
  const winners = new Set(episode.outcome?.winners);
  const names = game.names(game.begin(episode, null));
  const rows = new Map(glance?.rows.map((row) => [row.seat, row]));
  const score = (seat: string): number => episode.scores?.[seat] ?? 0;
  const number = ({ figure }: Ranked): number => Number.parseFloat(figure) || 0;
  return episode.seats
    .map(({ seat, player }): Ranked => {
      const [look, row] = [names.seat(seat), rows.get(seat)];
      return {
        seat,
        player: episode.taken?.includes(seat) ? `a person, for ${player}` : player,
        figure: row?.score ?? '',
        name: row && row.name !== seat ? row.name : look.name,
        short: row?.short || look.short,
        colour: look.colour,
      };
    })
    .sort(
      (a, b) =>
        Number(winners.has(b.seat)) - Number(winners.has(a.seat)) ||
        number(b) - number(a) ||
        score(b.seat) - score(a.seat),
    );
}
