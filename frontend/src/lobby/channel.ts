/** The choice of the match in the main place of the lobby, and the texts about what comes next. Pure. */

import { excitementOf } from '../episode/excitement';
import { clock } from '../lib/time';
import { CAMPAIGNS, type EpisodeSummary, type LaneInfo } from '../types.gen';

/** Excitement by which another match must exceed the one shown. */
export const MARGIN = 0.15;
/** Seconds for which a match stays before a more exciting one may replace it. */
export const HOLD = 45;
/** Seconds for which a result stays while another match is live. */
export const RESULT = 12;

/** The match in the main place, and the time at which it came there, in Unix seconds. */
export interface Main {
  readonly id: string;
  readonly since: number;
}

export interface Candidates {
  readonly live: readonly EpisodeSummary[];
  /** The matches that ended last, newest first. */
  readonly ended: readonly EpisodeSummary[];
  /** The live matches that wait for a person. */
  readonly awaited: ReadonlySet<string>;
}

/**
 * Return the match for the main place: the most exciting live one that neither stands still nor waits for a person, or
 * the last result if there is none. The match shown stays until it ends or another is clearly more exciting.
 */
export function chooseMain(current: Main | null, { live, ended, awaited }: Candidates, now: number): Main | null {
  const eligible = live.filter((episode) => moves(episode) && !awaited.has(episode.episode_id));
  const best = eligible.reduce<EpisodeSummary | null>((a, b) => (a === null || isBefore(b, a) ? b : a), null);
  const shown = eligible.find(({ episode_id: id }) => id === current?.id);
  const result = ended.find(({ episode_id: id }) => id === current?.id);
  if (current && shown) {
    const better = best !== null && excitement(best) > excitement(shown) + MARGIN;
    return better && now - current.since >= HOLD ? { id: best.episode_id, since: now } : current;
  }
  if (current && result?.outcome && (best === null || now - (result.ended_at ?? 0) < RESULT)) return current;
  const next = best ?? ended.find((episode) => episode.outcome && isMatch(episode)) ?? null;
  return next && (next.episode_id === current?.id ? current : { id: next.episode_id, since: now });
}

function moves({ status, paused, started_at: started }: EpisodeSummary): boolean {
  return status === 'live' && !paused && started != null;
}

/** Return how exciting a match is; less than any match for an episode that is not a match. */
function excitement(episode: EpisodeSummary): number {
  return isMatch(episode) ? excitementOf(episode) : -2;
}

const isMatch = ({ origin, game }: EpisodeSummary): boolean => origin !== 'trainer' && !CAMPAIGNS.includes(game);

/** Return whether `a` is chosen before `b`: the more exciting first, then the newer. */
function isBefore(a: EpisodeSummary, b: EpisodeSummary): boolean {
  const more = excitement(a) - excitement(b);
  return more === 0 ? a.created_at > b.created_at : more > 0;
}

/** Return the time until `at` as `0:14`; never negative. Both are Unix seconds. */
export function countdown(at: number, now: number): string {
  return clock(Math.max(0, Math.ceil(at - now)));
}

/** Return `Next: Diplomacy in 0:14`, or `Next: Diplomacy in a moment` when the time has come; '' while it is on. */
export function nextText({ next_at: at }: LaneInfo, title: string, now: number): string {
  if (at == null) return '';
  return at > now ? `Next: ${title} in ${countdown(at, now)}` : `Next: ${title} in a moment`;
}
