/** The person whom a match waits for. */

import type { Board } from '../boards/board';
import { plain } from '../lib/text';
import type { EpisodeSummary } from '../types.gen';
import type { EpisodeFacts } from './state';
import type { MatchInfo } from './record/matchInfo';

/**
 * Return the first of the seats `waiting` that a person plays, with the seconds left on its clock at `now`, or null if
 * the match waits for nobody or for players that are programs. `began` is the time at which the turn began.
 */
export function personWaitedFor(
  episode: EpisodeSummary,
  shell: MatchInfo,
  board: Pick<Board, 'seat'>,
  waiting: readonly string[],
  now: number,
  began: number,
): NonNullable<EpisodeFacts['waiting']> | null {
  if (shell.status !== 'live') return null;
  const seat = episode.seats.find(
    ({ seat: id, kind }) => waiting.includes(id) && (kind === 'human' || shell.taken.includes(id)),
  );
  if (!seat) return null;
  const left = episode.clock == null ? null : Math.max(0, began + episode.clock - now);
  return { name: plain(board.seat(seat.seat).name, 40), left };
}
