/** The matches of the players who are followed. Pure. */

import type { EpisodeSummary } from '../types.gen';

export interface FollowedMatch {
  readonly player: string;
  /** `now`: it is live. `next`: it waits for a slot. `last`: it is over. */
  readonly when: 'now' | 'next' | 'last';
  readonly episode: EpisodeSummary;
}

const ORDER = ['now', 'next', 'last'] as const;

const seats = ({ seats }: EpisodeSummary, player: string): boolean => seats.some((seat) => seat.player === player);

/**
 * Return the match of each player that matters most: the live one that is newest, else the next one of the queue, else
 * the one that ended last. Live ones come first, then those that wait. Players without a match are left out.
 */
export function followedMatches(
  names: readonly string[],
  episodes: readonly EpisodeSummary[],
  queue: readonly string[],
): FollowedMatch[] {
  const matches = names.flatMap((player): FollowedMatch[] => {
    const own = episodes.filter((episode) => seats(episode, player));
    const waiting = queue.flatMap((id) => own.filter(({ episode_id: other }) => other === id));
    const live = own
      .filter((episode) => episode.status === 'live' && !waiting.includes(episode))
      .sort((a, b) => b.created_at - a.created_at);
    const over = own.filter(({ ended_at: at }) => at != null).sort((a, b) => (b.ended_at ?? 0) - (a.ended_at ?? 0));
    const found = [
      ['now', live[0]],
      ['next', waiting[0]],
      ['last', over[0]],
    ] as const;
    return found.flatMap(([when, episode]) => (episode ? [{ player, when, episode }] : [])).slice(0, 1);
  });
  return matches.sort((a, b) => ORDER.indexOf(a.when) - ORDER.indexOf(b.when));
}

/** Return how the last match of a player ended: `won`, `did not win`, or that it was stopped. */
export function endingOf({ outcome, seats }: EpisodeSummary, player: string): string {
  if (!outcome) return 'was stopped';
  return seats.some((seat) => seat.player === player && outcome.winners.includes(seat.seat)) ? 'won' : 'did not win';
}

export interface Beginning {
  readonly episode: EpisodeSummary;
  readonly players: readonly string[];
}

/** Return the live matches of followed players that are not among those known before; none when nothing was known. */
export function begun(
  known: ReadonlySet<string> | null,
  live: readonly EpisodeSummary[],
  names: readonly string[],
): Beginning[] {
  if (!known) return [];
  return live
    .filter(({ episode_id: id }) => !known.has(id))
    .map((episode) => ({ episode, players: names.filter((name) => seats(episode, name)) }))
    .filter(({ players }) => players.length);
}
