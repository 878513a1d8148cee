/** The pages by address, and the way from one to another. Links are ordinary `<a href>` elements. */

import { entrance, tellParent } from './embedding';
import { campaignsHref } from './addresses';
import { unrooted } from './root';

export * from './addresses';

type Page =
  | 'lobby'
  | 'match'
  | 'sandbox'
  | 'campaign'
  | 'campaigns'
  | 'cockpit'
  | 'health'
  | 'leaderboard'
  | 'player'
  | 'tv'
  | 'lost';

export interface Route {
  page: Page;
  id: string;
  /** The moment of a sandbox; 0 on other pages. */
  seq: number;
  search: URLSearchParams;
}

const PAGES: Record<string, Page> = {
  '/': 'lobby',
  '/cockpit': 'cockpit',
  '/health': 'health',
  '/leaderboard': 'leaderboard',
  '/campaigns': 'campaigns',
  '/tv': 'tv',
};

export function parse(url: URL): Route {
  const path = unrooted(url.pathname) ?? '';
  const [, kind, id] = /^\/(episode|campaign)\/([^/]+)\/?$/.exec(path) ?? [];
  const route = (page: Page, name = '', seq = 0): Route => ({ page, id: decoded(name), seq, search: url.searchParams });
  if (id) return route(kind === 'episode' ? 'match' : 'campaign', id);
  const [, match, seq] = /^\/sandbox\/([^/]+)\/([0-9]{1,15})\/?$/.exec(path) ?? [];
  if (match) return route('sandbox', match, Number(seq));
  // A name may hold slashes, which a proxy may have decoded.
  const player = /^\/player\/(.+)$/.exec(path)?.[1];
  return player ? route('player', player) : route(PAGES[path] ?? 'lost');
}

/** Return `part` of a path decoded, or unchanged if its encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Return whether an address is that of an embedded page. It is a document of its own, with code that shows a match and
 * nothing else: every site may frame it.
 */
const embedded = (url: URL): boolean => unrooted(url.pathname)?.startsWith('/embed/') ?? false;

/** Return the address that an address of an earlier version leads to. */
const moved = (url: URL): URL =>
  unrooted(url.pathname) === '/experiments' ? new URL(campaignsHref('experiment'), url) : url;

class Router {
  route: Route;
  /** Whether the browser is on its way to an embedded page. */
  readonly leaving: boolean;

  constructor() {
    const here = new URL(location.href);
    const place = moved(entrance(here));
    this.route = $state.raw(parse(place));
    this.leaving = embedded(place);
    if (this.leaving) {
      // The code of a board may bring this into an embedded page, which is where it leads already.
      if (place.href !== here.href) location.replace(place);
      return;
    }
    history.replaceState(history.state, '', place);
    addEventListener('popstate', () => this.#show(new URL(location.href)));
    addEventListener('click', (event) => this.#click(event));
  }

  go(to: URL): void {
    const url = moved(to);
    history.pushState(null, '', url);
    this.#show(url);
  }

  /** Show another page in place of this one. */
  replace(url: URL): void {
    history.replaceState(null, '', url);
    this.#show(url);
  }

  /** Set search parameters of the address without a new history entry; null removes a parameter. */
  describe(parameters: Record<string, string | null>): void {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    if (url.href === location.href) return;
    history.replaceState(null, '', url);
    tellParent(url);
  }

  #show(url: URL): void {
    this.route = parse(url);
    tellParent(url);
  }

  #click(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest('a');
    const path = link?.origin === location.origin ? unrooted(link.pathname) : null;
    const ours = path !== null && !link?.download && !link?.target && !/^\/(api|embed)\//.test(path);
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !ours || !plain || event.defaultPrevented) return;
    event.preventDefault();
    this.go(new URL(link.href));
    scrollTo(0, 0);
  }
}

export const router = new Router();
