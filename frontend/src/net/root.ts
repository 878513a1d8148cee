/**
 * The root of the server's addresses: `/`, or the prefix of a proxy, such as `/grandstand/`. The server writes it to
 * the document's `<base>`. All other code uses addresses that begin at `/`.
 */
export const ROOT = typeof document === 'undefined' ? '/' : new URL('.', document.baseURI).pathname;

/** Return `path`, which begins with a slash, as an address of this server. */
export function rooted(path: string, root = ROOT): string {
  return root + path.slice(1);
}

/** The inverse of `rooted`; returns null for an address outside the root. */
export function unrooted(pathname: string, root = ROOT): string | null {
  return pathname.startsWith(root) ? `/${pathname.slice(root.length)}` : null;
}
