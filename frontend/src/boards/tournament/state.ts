/** A tournament up to a moment: its matches, and the last standings. */

import type {
  CoreEvent,
  EpisodeSummary,
  Event,
  HeadToHead,
  Pairing,
  PairingPlayed,
  SeatScore,
  StandingsUpdated,
} from '../../types.gen';

/** The state of a match of the tournament. `failed`: it was not played to its end. */
export type Progress = 'waiting' | 'live' | 'done' | 'failed';

/** A match of the tournament. */
export interface Game extends Pairing {
  readonly progress: Progress;
  /** The episode that shows it; '' if no viewer can watch it. */
  readonly episode: string;
  /** Time of its end, in Unix seconds. */
  readonly at: number | null;
  readonly played: PairingPlayed | null;
}

/** The table of the standings is in order, the best first. */
export interface Tournament {
  /** The plan of the tournament, as it was recorded. */
  readonly plan: Readonly<Record<string, unknown>>;
  /** The players, in the order in which they entered. */
  readonly entrants: readonly string[];
  readonly games: readonly Game[];
  /** The most matches that it may play. */
  readonly planned: number;
  readonly standings: StandingsUpdated | null;
  readonly began: number | null;
  /** The state of its end; '' while it continues. */
  readonly ended: string;
  /** The reason of its end, in words. */
  readonly message: string;
}

export function begin(episode: EpisodeSummary): Tournament {
  return {
    plan: episode.options,
    entrants: episode.seats.map(({ player }) => player),
    games: [],
    planned: 0,
    standings: null,
    began: null,
    ended: '',
    message: '',
  };
}

export function reduce(cup: Tournament, raw: Event): Tournament {
  const event = raw as CoreEvent;
  switch (event.type) {
    case 'EpisodeStarted':
      return { ...cup, began: event.at };
    case 'PairingsDrawn': {
      const { planned, pairings } = event.data;
      const known = new Set(cup.games.map(({ number }) => number));
      const added = pairings.filter(({ number }) => !known.has(number)).map(waiting);
      return { ...cup, planned, games: [...cup.games, ...added] };
    }
    case 'PairingBegan': {
      const { number, episode_id: episode = '' } = event.data;
      return changed(cup, number, { progress: 'live', episode });
    }
    case 'PairingPlayed': {
      const { number, status, episode_id: episode = '' } = event.data;
      const progress = status === 'finished' ? 'done' : 'failed';
      return changed(cup, number, { progress, played: event.data, at: event.at, ...(episode && { episode }) });
    }
    case 'StandingsUpdated':
      return { ...cup, standings: event.data, planned: event.data.planned };
    case 'EpisodeEnded':
      return { ...cup, ended: event.data.status, message: event.data.message ?? '' };
    default:
      return cup;
  }
}

const waiting = (pairing: Pairing): Game => ({ ...pairing, progress: 'waiting', episode: '', at: null, played: null });

function changed(cup: Tournament, number: number, change: Partial<Game>): Tournament {
  // Numbers are given in the order in which matches are drawn.
  const guess = cup.games[number - (cup.games[0]?.number ?? 0)];
  const index = guess?.number === number ? cup.games.indexOf(guess) : cup.games.findIndex((g) => g.number === number);
  const game = cup.games[index];
  return game ? { ...cup, games: cup.games.with(index, { ...game, ...change }) } : cup;
}

/** Return the number of matches in each state. */
export function counts({ games }: Tournament): Record<Progress, number> {
  const counts = { waiting: 0, live: 0, done: 0, failed: 0 };
  for (const { progress } of games) counts[progress]++;
  return counts;
}

/** Return the players of a match, each once, in the order of its seats. */
export const playersOf = ({ players }: Pick<Game, 'players'>): string[] => [...new Set(Object.values(players))];

/** Return the points of a player in a match: the sum of the scores of its seats; null if the match has none. */
export function points({ players, played }: Game, player: string): number | null {
  const scores = Object.entries(played?.scores ?? {}).filter(([seat]) => players[seat] === player);
  return scores.length ? scores.reduce((sum, [, score]) => sum + score, 0) : null;
}

/** Return the sum of `counts` over the seats of a player in a match, or over all seats. */
export function total(game: Game, counts: Readonly<Record<string, number>> | undefined, player?: string): number {
  return Object.entries(counts ?? {})
    .filter(([seat]) => player === undefined || game.players[seat] === player)
    .reduce((sum, [, count]) => sum + count, 0);
}

/** Two players as seen by `a`. */
export interface Duel extends HeadToHead {
  /** Whether they differ, and `a` is the stronger. */
  readonly ahead: boolean;
  readonly behind: boolean;
}

/** Return the comparison of `a` with `b` as seen by `a`, or null if there is none. */
export function duel(cross: readonly HeadToHead[], a: string, b: string): Duel | null {
  const same = cross.find((pair) => pair.a === a && pair.b === b);
  const other = same ? undefined : cross.find((pair) => pair.a === b && pair.b === a);
  const pair = same ?? (other && turned(other));
  if (!pair) return null;
  const stronger = pair.stronger ?? pair.share.mean ?? 0.5;
  return { ...pair, ahead: pair.differ && stronger > 0.5, behind: pair.differ && stronger < 0.5 };
}

const rest = (share: number | null | undefined): number | null => (share == null ? null : 1 - share);

function turned(pair: HeadToHead): HeadToHead {
  const { a, b, share, stronger } = pair;
  const { mean, low, high } = share;
  return {
    ...pair,
    a: b,
    b: a,
    share: { ...share, mean: rest(mean), low: rest(high), high: rest(low) },
    stronger: rest(stronger),
  };
}

/** Return the best and the worst rank that a player may have, by the pairs that are separated. */
export function ranks({ table, cross = [] }: StandingsUpdated, player: string): readonly [number, number] {
  const duels = table.flatMap((other) => (other.player === player ? [] : (duel(cross, player, other.player) ?? [])));
  const above = duels.filter(({ behind }) => behind).length;
  const below = duels.filter(({ ahead }) => ahead).length;
  return [1 + above, table.length - below];
}

/** Return the name of the game that is played, or ''. */
export function gameOf({ plan }: Tournament): string {
  const name = plan['game'];
  return typeof name === 'string' ? name : '';
}

/** The matches of the same players in one round. */
export interface Encounter {
  readonly players: readonly string[];
  readonly games: readonly Game[];
}

export interface Round {
  readonly round: number;
  readonly games: readonly Game[];
  readonly encounters: readonly Encounter[];
}

/** Return the rounds that are drawn, in order. */
export function rounds({ games }: Tournament): Round[] {
  const byRound = new Map<number, Game[]>();
  for (const game of games) byRound.set(game.round, [...(byRound.get(game.round) ?? []), game]);
  return [...byRound]
    .sort(([a], [b]) => a - b)
    .map(([round, games]) => ({ round, games, encounters: encountersOf(games) }));
}

/** Return the matches grouped by their players. */
export function encountersOf(games: readonly Game[]): Encounter[] {
  const byPlayers = new Map<string, { players: string[]; games: Game[] }>();
  for (const game of games) {
    const players = playersOf(game);
    const key = JSON.stringify([...players].sort());
    const known = byPlayers.get(key);
    if (known) known.games.push(game);
    else byPlayers.set(key, { players, games: [game] });
  }
  return [...byPlayers.values()];
}

/** Return the points of a player in all matches of an encounter; null before the first result. */
export function pointsIn({ games }: Encounter, player: string): number | null {
  const results = games.flatMap((game) => points(game, player) ?? []);
  return results.length ? results.reduce((sum, score) => sum + score, 0) : null;
}

/** Return the seats in the order of the first match, then those of the seat table. */
export function seatsOf({ games, standings }: Tournament): string[] {
  const scores: readonly SeatScore[] = standings?.seats ?? [];
  return [
    ...new Set([
      ...Object.keys(games[0]?.players ?? {}),
      ...Object.keys(standings?.seat_effects ?? {}),
      ...scores.map(({ seat }) => seat),
    ]),
  ];
}

/** Return the seconds that the rest takes at the present pace, or null if it cannot be estimated. */
export function remaining(cup: Tournament): number | null {
  if (cup.ended || cup.began === null) return null;
  const ends = cup.games.flatMap(({ at }) => at ?? []);
  const left = cup.planned - ends.length;
  if (ends.length < 2 || left <= 0) return null;
  return ((Math.max(...ends) - cup.began) / ends.length) * left;
}
