/** The token of the user signed in at this tab: kept in session storage and sent in headers, and nowhere else. */

const KEY = 'token';

/** The event dispatched on the window when the server no longer accepts the token. */
export const DROPPED = 'tokendropped';

/** Whether this page only watches, as any spectator may. */
let spectator = false;

/** From now on, send no token of this tab, and only requests that change nothing. */
export function actAsSpectator(): void {
  spectator = true;
}

/** Return whether this page may send requests that change something. */
export const mayAct = (): boolean => !spectator;

export function token(): string | null {
  if (spectator) return null;
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // If storage is forbidden, users cannot sign in.
  }
}

/** Keep `value` for this tab, or delete it if it is null. Throws if the browser forbids storage. */
export function keepToken(value: string | null): void {
  if (value === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
}

/** Delete the token, which the server no longer accepts. */
export function dropToken(): void {
  keepToken(null);
  dispatchEvent(new Event(DROPPED));
}

/** Keep the token of an invitation in the address, and take it out of the address. */
export function acceptInvitation(): void {
  const secret = new URLSearchParams(location.hash.slice(1)).get('seat');
  if (secret === null) return;
  keepToken(secret);
  history.replaceState(history.state, '', location.pathname + location.search);
}

/** Return the authorization header, or no header if no user is signed in. */
export function authorization(): Record<string, string> {
  const kept = token();
  return kept === null ? {} : { Authorization: `Bearer ${kept}` };
}
