/**
 * What is on at `/tv`: a live match, chosen by how close it is and how much it swings, or a moment of an earlier one.
 * Pure: the caller has the clock.
 */

import { excitementOf } from '../episode/excitement';
import { CAMPAIGNS, type EpisodeSummary, type Highlight } from '../types.gen';

/** A match from where it is, or the events from `first` to `last` of one. */
export interface Programme {
  readonly id: string;
  readonly range: readonly [first: number, last: number] | null;
  /** When it came on, in Unix seconds. */
  readonly since: number;
  /** When its end was told; null while it runs. */
  readonly over: number | null;
}

export interface Channel {
  readonly programme: Programme | null;
  /** The moments that were on, the last one at the end. */
  readonly shown: readonly string[];
  /** The game of the last match. */
  readonly game: string;
  /** When each game was last on, in Unix seconds. */
  readonly left: Readonly<Record<string, number>>;
}

export interface Offer {
  readonly live: readonly EpisodeSummary[];
  /** The live matches that wait for a person. */
  readonly awaited: ReadonlySet<string>;
  /** Moments of matches, the best first. */
  readonly moments: readonly Highlight[];
}

export const OFF: Channel = { programme: null, shown: [], game: '', left: {} };

/** Interest by which another match must exceed the one that is on. */
export const MARGIN = 0.15;
/** Seconds for which a match stays on before a more interesting one may replace it. */
export const HOLD = 90;
/** Seconds in which the interest of a game that is not on grows by 1, the most that it gains: each has its turn. */
const WAITING = 600;
/** Seconds for which the end of a match and of a moment stays. */
export const END = 14;
export const AFTER_MOMENT = 3;
/** Seconds after which a moment is over whatever its player says. */
export const LONGEST = 120;
/** Moments of less importance are not shown. */
const WORTH = 0.5;
/** The weight of closeness, in addition to its part in the game's own excitement (closeness, lateness and swing). */
const CLOSE = 0.3;

/** The origins of matches that are played faster than they can be watched. */
const BRIEF: ReadonlySet<string> = new Set(['trainer', 'tournament']);

/** Return what is on at `now`. The same object is returned while nothing changes. */
export function direct(channel: Channel, offer: Offer, now: number): Channel {
  const { programme } = channel;
  if (programme && !isDone(programme, now)) {
    const other = replacement(channel, programme, offer, now);
    return other ? turnTo(channel, other, now) : channel;
  }
  const best = bestOf(channel, offer, now);
  // A moment comes between two matches, and one after another while nothing is live.
  const moment = nextMoment(channel, offer, best === null);
  if (moment && (best === null || (programme && !programme.range))) return showMoment(channel, moment, now);
  return best
    ? turnTo(channel, best, now)
    : programme && isGone(programme, now)
      ? { ...channel, programme: null }
      : channel;
}

/** Return the channel after the end of its programme has been told at `now`. */
export function ended(channel: Channel, now: number): Channel {
  const { programme } = channel;
  return programme?.over === null ? { ...channel, programme: { ...programme, over: now } } : channel;
}

/** Return how much there is to see in a match: how close it is, and how exciting. */
export function interest(episode: EpisodeSummary): number {
  const [first = 1, second = 0] = Object.values(episode.outlook?.chances ?? {}).sort((a, b) => b - a);
  return excitementOf(episode) + CLOSE * (1 - first + second);
}

function isDone({ range, since, over }: Programme, now: number): boolean {
  if (range && now - since > LONGEST) return true;
  return over !== null && now - over >= (range ? AFTER_MOMENT : END);
}

/** Whether the end of a programme has stayed so long that nothing else is better. */
const isGone = ({ over }: Programme, now: number): boolean => over !== null && now - over > LONGEST;

function isEligible(episode: EpisodeSummary, { awaited }: Offer): boolean {
  const { episode_id: id, game, origin, paused, started_at: started, status } = episode;
  const on = status === 'live' && !paused && started != null && !awaited.has(id);
  return on && !BRIEF.has(origin) && !CAMPAIGNS.includes(game);
}

/** Return the match that takes the place of the one that is on; null to stay. */
function replacement(
  channel: Channel,
  { id, range, since, over }: Programme,
  offer: Offer,
  now: number,
): EpisodeSummary | null {
  const current = offer.live.find(({ episode_id: other }) => other === id);
  // A match that the server has ended is still being told to its viewers.
  if (range || !current || over !== null || now - since < HOLD) return null;
  const best = bestOf(channel, { ...offer, live: offer.live.filter((other) => other !== current) }, now);
  if (!best || !isEligible(current, offer)) return best;
  return worth(channel, best, now) > interest(current) + MARGIN ? best : null;
}

/** Return how much there is to see in a match that is not on, and how long its game has waited. */
function worth({ game, left }: Channel, episode: EpisodeSummary, now: number): number {
  const waited = episode.game === game ? 0 : now - (left[episode.game] ?? -Infinity);
  return interest(episode) + Math.min(1, waited / WAITING);
}

/** Return the live match that is worth most. */
function bestOf(channel: Channel, offer: Offer, now: number): EpisodeSummary | null {
  return offer.live
    .filter((episode) => isEligible(episode, offer))
    .reduce<EpisodeSummary | null>(
      (best, episode) => (best && worth(channel, best, now) >= worth(channel, episode, now) ? best : episode),
      null,
    );
}

const keyOf = ({ episode_id: id, last }: Highlight): string => `${id}/${last}`;

/** Return the best moment of a match that is over and was not on yet; with `again`, the one that was on longest ago. */
function nextMoment({ shown }: Channel, { live, moments }: Offer, again: boolean): Highlight | null {
  const worthy = moments.filter(
    ({ episode_id: id, importance }) => importance >= WORTH && live.every((episode) => episode.episode_id !== id),
  );
  const fresh = worthy.find((moment) => !shown.includes(keyOf(moment)));
  if (fresh ?? !again) return fresh ?? null;
  return worthy.sort((a, b) => shown.lastIndexOf(keyOf(a)) - shown.lastIndexOf(keyOf(b)))[0] ?? null;
}

function turnTo(channel: Channel, { episode_id: id, game }: EpisodeSummary, now: number): Channel {
  const left = channel.game ? { ...channel.left, [channel.game]: now } : channel.left;
  return { ...channel, game, left, programme: { id, range: null, since: now, over: null } };
}

function showMoment(channel: Channel, moment: Highlight, now: number): Channel {
  const { episode_id: id, first, last } = moment;
  const key = keyOf(moment);
  return {
    ...channel,
    programme: { id, range: [first, last], since: now, over: null },
    shown: [...channel.shown.filter((other) => other !== key), key],
  };
}
