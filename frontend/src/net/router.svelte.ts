/** The addresses of the pages. Links are ordinary `<a href>` elements. */

import { entrance, tellParent } from './embedding';
import { rooted, unrooted } from './root';

export interface Route {
  page: 'lobby' | 'match' | 'embed' | 'cockpit' | 'health' | 'leaderboard' | 'experiments' | 'player' | 'lost';
  id: string;
  search: URLSearchParams;
}

const PAGES: Record<string, Route['page']> = {
  '/': 'lobby',
  '/cockpit': 'cockpit',
  '/health': 'health',
  '/leaderboard': 'leaderboard',
  '/experiments': 'experiments',
};

export function parse(url: URL): Route {
  const path = unrooted(url.pathname) ?? '';
  const id = /^\/episode\/([^/]+)\/?$/.exec(path)?.[1];
  if (id) return { page: 'match', id: decoded(id), search: url.searchParams };
  const embedded = /^\/embed\/([^/]+)\/?$/.exec(path)?.[1];
  if (embedded) return { page: 'embed', id: decoded(embedded), search: url.searchParams };
  // A name may hold slashes, which a proxy may have decoded.
  const player = /^\/player\/(.+)$/.exec(path)?.[1];
  if (player) return { page: 'player', id: decoded(player), search: url.searchParams };
  return { page: PAGES[path] ?? 'lost', id: '', search: url.searchParams };
}

export const matchHref = (id: string): string => rooted(`/episode/${encodeURIComponent(id)}`);

/** Return the address of a match at the moment `seq`. */
export const momentHref = (id: string, seq: number): string => `${matchHref(id)}?seq=${seq}`;

/** Return the address of an episode at the end of the turn `turn`, which is the number of a step in a training run. */
export const turnHref = (id: string, turn: string): string => `${matchHref(id)}?turn=${encodeURIComponent(turn)}`;

/** Return the address at which the moments from `first` to `last` of a match play by themselves. */
export const rangeHref = (id: string, first: number, last: number): string => `${momentHref(id, first)}&to=${last}`;

/** Return the address at which a seat of a match is played. */
export const seatHref = (id: string, seat: string): string => `${matchHref(id)}?as=seat:${encodeURIComponent(seat)}`;

/** Return the address that opens one seat to whoever has it. The server never receives the part after `#`. */
export const invitationHref = (id: string, seat: string, token: string): string =>
  `${location.origin}${seatHref(id, seat)}#seat=${encodeURIComponent(token)}`;

/** Return the address of a match's desk in the cockpit. */
export const deskHref = (id: string): string => rooted(`/cockpit?match=${encodeURIComponent(id)}`);

/** Return the address of the leaderboard of a game, or of one of its option sets; `visitors` started its matches. */
export const leaderboardHref = (game = '', setting = '', visitors = false): string =>
  rooted(`/leaderboard${query({ game, setting, ...flag(visitors) })}`);

/** Return the address of the list of experiments. */
export const experimentsHref = (): string => rooted('/experiments');

/** Return the address of a player's page, in one option set, with some of its matches. */
export const playerHref = (name: string, setting = '', show = '', visitors = false): string =>
  rooted(`/player/${encodeURIComponent(name)}${query({ setting, show, ...flag(visitors) })}${show ? '#matches' : ''}`);

const flag = (visitors: boolean): Record<string, string> => (visitors ? { visitors: 'true' } : {});

function query(values: Record<string, string>): string {
  const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return search && `?${search}`;
}

/** Return the address of the start form with the settings of a match. */
export const againHref = (id: string): string => rooted(`/cockpit?again=${encodeURIComponent(id)}`);

/** Return the address of the comparison of two matches. */
export const compareHref = (left: string, right: string): string =>
  rooted(`/cockpit?left=${encodeURIComponent(left)}&right=${encodeURIComponent(right)}`);

/** Return `part` of a path decoded, or unchanged if its encoding is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Router {
  route = $state.raw(parse(entrance(new URL(location.href))));

  constructor() {
    history.replaceState(history.state, '', entrance(new URL(location.href)));
    addEventListener('popstate', () => this.#show(new URL(location.href)));
    addEventListener('click', (event) => this.#click(event));
  }

  go(url: URL): void {
    history.pushState(null, '', url);
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
    const ours = path !== null && !link?.download && !link?.target && !path.startsWith('/api/');
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !ours || !plain || event.defaultPrevented) return;
    event.preventDefault();
    this.go(new URL(link.href));
    scrollTo(0, 0);
  }
}

export const router = new Router();
