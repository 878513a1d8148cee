/**
 * Where the server's own addresses begin: at `/`, or below the prefix of a proxy, such as `/grandstand/`. The server says
 * so in the document's `<base>`. All other code writes addresses as if they began at `/`.
 */
export const ROOT = typeof document === 'undefined' ? '/' : new URL('.', document.baseURI).pathname;

/** `path`, which begins with a slash, as an address of this server. */
export function rooted(path: string, root = ROOT): string {
  return root + path.slice(1);
}

/** The inverse of `rooted`; null for an address outside the root. */
export function unrooted(pathname: string, root = ROOT): string | null {
  return pathname.startsWith(root) ? `/${pathname.slice(root.length)}` : null;
}
