/** Tournaments for tests. */

import type { EpisodeSummary, Estimate, Event, HeadToHead, Standing, StandingsUpdated } from '../../../types.gen';
import { begin, reduce, type Tournament } from '../state';

export const PLAYERS = ['alpha', 'beta', 'gamma'];

export const episode = {
  episode_id: 'tournament-1',
  game: 'tournament',
  options: { game: 'cricket', format: 'round-robin', players: PLAYERS },
  seats: PLAYERS.map((player) => ({ seat: player, player, kind: 'bot' })),
} as unknown as EpisodeSummary;

export function event(seq: number, type: string, data: Event['data'] = {}): Event {
  return { episode_id: 'tournament-1', epoch: 1, seq, at: 1000 + 10 * seq, type, audience: 'public', data };
}

export const estimate = (mean: number | null, half: number | null = null, n = 10): Estimate => ({
  mean,
  low: mean === null || half === null ? null : mean - half,
  high: mean === null || half === null ? null : mean + half,
  n,
});

export const standing = (player: string, mean: number | null, about: Partial<Standing> = {}): Standing => ({
  player,
  matches: 10,
  counted: 10,
  score: estimate(mean, 0.1),
  rating: estimate(null),
  wins: 0,
  decisions: 0,
  fallbacks: 0,
  faults: 0,
  forfeits: 0,
  answers: 0,
  tokens: 0,
  dollars: null,
  seconds: 0,
  ...about,
});

export const pair = (a: string, b: string, mean: number, differ: boolean): HeadToHead => ({
  a,
  b,
  share: estimate(mean, 0.1),
  stronger: mean,
  differ,
});

/** Return standings in which alpha is ahead of gamma, and nothing else is separated. */
export const standings = (about: Partial<StandingsUpdated> = {}): StandingsUpdated => ({
  played: 4,
  planned: 6,
  failed: 1,
  table: [standing('alpha', 0.7), standing('beta', 0.6), standing('gamma', 0.2)],
  cross: [pair('beta', 'alpha', 0.4, false), pair('gamma', 'alpha', 0.1, true), pair('beta', 'gamma', 0.6, false)],
  seats: [{ player: 'alpha', seat: 'home', score: estimate(0.8) }],
  seat_effects: {},
  tokens: 0,
  dollars: null,
  ...about,
});

const pairings = [
  ['alpha', 'beta'],
  ['beta', 'alpha'],
  ['alpha', 'gamma'],
  ['gamma', 'alpha'],
].map(([home, away], number) => ({ number, round: 1 + (number >> 1), opening: number >> 1, players: { home, away } }));

const played = (number: number, home: number, about: object = {}): Event['data'] => ({
  number,
  episode_id: `cricket-${number}`,
  status: 'finished',
  message: '',
  scores: { home, away: 1 - home },
  counted: ['home', 'away'],
  faults: {},
  fallbacks: {},
  ...about,
});

/** The events of a tournament of four matches, of which the last fails. */
export const events: readonly Event[] = [
  event(0, 'EpisodeCreated', { title: 'A cup' }),
  event(1, 'EpisodeStarted'),
  event(2, 'PairingsDrawn', { planned: 4, pairings }),
  event(3, 'PairingBegan', { number: 0, episode_id: 'cricket-0' }),
  event(4, 'PairingPlayed', played(0, 1)),
  event(5, 'PairingBegan', { number: 1, episode_id: 'cricket-1' }),
  event(6, 'PairingPlayed', played(1, 0, { faults: { away: 2 }, fallbacks: { away: 3 }, counted: ['home'] })),
  event(7, 'PairingBegan', { number: 2, episode_id: 'cricket-2' }),
  event(8, 'PairingPlayed', played(2, 0.5)),
  event(9, 'PairingBegan', { number: 3, episode_id: 'cricket-3' }),
  event(10, 'PairingPlayed', played(3, 0, { status: 'stopped', message: 'the provider is away', scores: {} })),
];

export const folded = (count = events.length): Tournament => events.slice(0, count).reduce(reduce, begin(episode));
