/** The addresses of the pages. */

import { rooted } from './root';

export const matchHref = (id: string): string => rooted(`/episode/${encodeURIComponent(id)}`);

/** Return the address of a match at the moment `seq`. */
export const momentHref = (id: string, seq: number): string => `${matchHref(id)}?seq=${seq}`;

/** Return the address at which moves are tried from the moment `seq`. The server never receives the part after `#`. */
export const sandboxHref = (id: string, seq: number, line = ''): string =>
  rooted(`/sandbox/${encodeURIComponent(id)}/${seq}${line && `#${line}`}`);

/** Return the address of the page of a campaign. */
export const campaignHref = (id: string): string => rooted(`/campaign/${encodeURIComponent(id)}`);

/** Return the address of a training run at the end of a step. */
export const stepHref = (id: string, step: number): string => `${campaignHref(id)}?turn=${step}`;

/** Return the address at which the moments from `first` to `last` of a match play by themselves. */
export const rangeHref = (id: string, first: number, last: number): string => `${momentHref(id, first)}&to=${last}`;

/** Return the address at which a seat of a match is played. */
export const seatHref = (id: string, seat: string): string => `${matchHref(id)}?as=seat:${encodeURIComponent(seat)}`;

/** Return the address that opens one seat to whoever has it. The server never receives the part after `#`. */
export const invitationHref = (id: string, seat: string, token: string): string =>
  `${location.origin}${seatHref(id, seat)}#seat=${encodeURIComponent(token)}`;

/** Return the address of a match's desk in the cockpit. */
export const deskHref = (id: string): string => rooted(`/cockpit?match=${encodeURIComponent(id)}`);

/** Return the address of the broadcast. */
export const tvHref = (): string => rooted('/tv');

/** Return the address of the leaderboard of a game. */
export const leaderboardHref = (game = ''): string => rooted(`/leaderboard${query({ game })}`);

/** Return the address of the list of campaigns, or of those of a kind. */
export const campaignsHref = (kind = ''): string => rooted(`/campaigns${query({ kind })}`);

/** Return the address of a player's page, in one option set. */
export const playerHref = (name: string, setting = ''): string =>
  rooted(`/player/${encodeURIComponent(name)}${query({ setting })}`);

function query(values: Record<string, string>): string {
  const search = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return search && `?${search}`;
}

/** Return the address of the start form with the settings of a match. */
export const againHref = (id: string): string => rooted(`/cockpit?again=${encodeURIComponent(id)}`);

/** Return the address of the comparison of two matches. */
export const compareHref = (left: string, right: string): string =>
  rooted(`/cockpit?left=${encodeURIComponent(left)}&right=${encodeURIComponent(right)}`);
