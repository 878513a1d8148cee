/** Taking a seat: its board is shown at once, and this browser keeps its token. */

import { access } from '../net/access.svelte';
import { calls } from '../net/calls';
import { router, seatHref } from '../net/router.svelte';
import { keepSeat } from '../net/seats';
import type { PlayEpisode, SeatToken } from '../types.gen';

/** Show the board of a seat. An operator needs no token for it. */
async function show({ episode_id: id, seat, token }: SeatToken): Promise<void> {
  if (access.operator) keepSeat(id, seat, null);
  else await access.signIn(token);
  router.go(new URL(seatHref(id, seat), location.href));
  scrollTo(0, 0);
}

/** Take a seat of a live match. Rejects with an ApiError. */
export const sit = async (id: string, seat: string): Promise<void> => show(await calls.take(id, seat));

/** Start a match with the caller in one seat. Rejects with an ApiError. */
export const startAndSit = async (request: PlayEpisode): Promise<void> => show(await calls.play(request));
