/** Leagues for tests. */

import type { LeaguePayoff, LeagueRated, RatedPlayer } from '../../../types.gen';

/** Return a player by its label, with a rating and half of its interval. */
export function rated(label: string, mean = 1500, half = 50, more: Partial<RatedPlayer> = {}): RatedPlayer {
  const version = /^v(\d+)$/.exec(label)?.[1];
  return {
    name: version === undefined ? label : `nano@v${version.padStart(6, '0')}`,
    label,
    kind: version === undefined ? (label === 'policy' ? 'policy' : 'bot') : Number(version) ? 'policy' : 'base',
    role: '',
    version: version === undefined ? null : Number(version),
    landmark: false,
    rating: { mean, low: mean - half, high: mean + half, n: 9 },
    share: null,
    ...more,
  };
}

/** Return the results of a pair with a share, half of its interval, and its number of situations. */
export function payoff(player: string, opponent: string, mean: number, half: number | null, n = 20): LeaguePayoff {
  const share = { mean, low: half === null ? null : mean - half, high: half === null ? null : mean + half, n };
  const wins = Math.round(mean * 2 * n);
  const differ = half !== null && Math.abs(mean - 0.5) > half;
  return { player, opponent, wins, draws: 0, losses: 2 * n - wins, games: 2 * n, share, differ };
}

export const league = (step: number, players: RatedPlayer[], payoffs: LeaguePayoff[] = []): LeagueRated => ({
  step,
  players,
  payoffs,
});
