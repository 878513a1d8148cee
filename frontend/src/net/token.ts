/** The token of who signed in at this tab: in its session storage, in request headers, and nowhere else. */

const KEY = 'token';

/** Told of on the window when the server takes the token no more. */
export const DROPPED = 'tokendropped';

export function token(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // Storage may be forbidden: then nobody can sign in here.
  }
}

/** Keep `value` for this tab, or with null forget it. Throws where the browser forbids storage. */
export function keepToken(value: string | null): void {
  if (value === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, value);
}

/** The server does not take the token any more. */
export function dropToken(): void {
  keepToken(null);
  dispatchEvent(new Event(DROPPED));
}

/** The header that says who asks; none where nobody signed in. */
export function authorization(): Record<string, string> {
  const kept = token();
  return kept === null ? {} : { Authorization: `Bearer ${kept}` };
}
