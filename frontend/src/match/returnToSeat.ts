/** Going back to a seat that was taken in another tab. */

import { access } from '../net/access.svelte';
import { ApiError } from '../net/api';
import { router, seatHref } from '../net/router.svelte';
import { forgetSeat, type KeptSeat } from '../net/seats';

/** Show the board of a seat that was taken in this browser. Return false if its token is no longer accepted. */
export async function returnToSeat(id: string, { seat, token: secret }: KeptSeat): Promise<boolean> {
  try {
    if (!access.operator) {
      if (secret === null) throw new ApiError(403, 'An operator took this seat.');
      await access.signIn(secret);
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0) throw error;
    forgetSeat(id);
    return false;
  }
  router.go(new URL(seatHref(id, seat), location.href));
  return true;
}
