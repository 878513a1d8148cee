/** The order of the seats by the count that the game shows. */

import type { Game } from '../boards/game';
import type { EpisodeSummary } from '../types.gen';

export interface Ranked {
  readonly seat: string;
  /** The current player. */
  readonly player: string;
  /** The count of the seat; '' if the game needs a state that has not arrived. */
  readonly figure: string;
}

/** Return the seats: winners first, then by count, then by score. `drawn` is the board's state, if it has arrived. */
export function ranked<S>(episode: EpisodeSummary, game: Pick<Game<S>, 'strip'>, drawn: S | undefined): Ranked[] {
  const winners = new Set(episode.outcome?.winners);
  const score = (seat: string): number => episode.scores?.[seat] ?? 0;
  const rows = episode.seats.map(({ seat, player }) => {
    const { count } = game.strip(drawn, seat, episode.scores?.[seat]);
    const now = episode.taken?.includes(seat) ? `a person, for ${player}` : player;
    return { seat, player: now, figure: count, won: winners.has(seat), number: Number.parseFloat(count) || 0 };
  });
  return rows
    .sort((a, b) => Number(b.won) - Number(a.won) || b.number - a.number || score(b.seat) - score(a.seat))
    .map(({ seat, player, figure }) => ({ seat, player, figure }));
}
