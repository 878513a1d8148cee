/** The person whom a match waits for. */

import type { Game, Names } from '../boards/game';
import { plain } from '../lib/text';
import type { EpisodeSummary } from '../types.gen';
import type { EpisodeFacts } from './state';
import type { MatchInfo } from './record/matchInfo';
import type { Moment } from './record/moments';

/**
 * Return the first of the seats `waiting` that a person plays, with the seconds left on its clock at `now`, or null if
 * the match waits for nobody or for players that are programs. `began` is the time at which the turn began.
 */
export function personWaitedFor(
  episode: EpisodeSummary,
  shell: MatchInfo,
  names: Pick<Names, 'seat'>,
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
  return { name: plain(names.seat(seat.seat).name, 40), left };
}

/** Return the seats that the match waits for, without those that have made their decision as far as this is public. */
export const undecided = (game: Game, { shell, board }: Moment<unknown>): string[] =>
  shell.toAct.filter((seat) => !game.strip(board, seat).ready);
