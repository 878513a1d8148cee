/** Who leads a match, by what its board counts. */

import { figure, type Board } from '../boards/board';
import type { EpisodeSummary } from '../types.gen';

export interface Ranked {
  readonly seat: string;
  /** Who plays it now. */
  readonly player: string;
  /** What is counted for the seat; '' where the board counts something that is not here yet. */
  readonly figure: string;
}

/** The seats, winners first, then by what is counted, then by score. `drawn` is the board's state, once it is here. */
export function ranked<S>(episode: EpisodeSummary, board: Board<S>, drawn: S | undefined): Ranked[] {
  const winners = new Set(episode.outcome?.winners);
  const score = (seat: string): number => episode.scores?.[seat] ?? 0;
  const rows = episode.seats.map(({ seat, player }) => {
    const shown = board.tally && drawn === undefined ? '' : figure(board, episode.scores ?? {}, drawn, seat);
    const now = episode.taken?.includes(seat) ? `a person, for ${player}` : player;
    return { seat, player: now, figure: shown, won: winners.has(seat), count: Number.parseFloat(shown) || 0 };
  });
  return rows
    .sort((a, b) => Number(b.won) - Number(a.won) || b.count - a.count || score(b.seat) - score(a.seat))
    .map(({ seat, player, figure }) => ({ seat, player, figure }));
}
