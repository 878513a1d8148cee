/** The league of a run: its players, their ratings over the steps, and their results against each other. */

import type { Estimate, LeaguePayoff, LeagueRated, RatedPlayer } from '../../../types.gen';
import type { Point } from '../../../lib/chart/series';
import { latest, lastStep, named, series, word, type Run } from '../state';

/** A rating after a step. */
export interface RatingPoint {
  readonly step: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** A player's ratings over the steps. */
export interface RatingCurve {
  readonly player: RatedPlayer;
  readonly points: readonly RatingPoint[];
}

/** Return the ratings up to now, the oldest first; of a run that published none, those among its metrics. */
export function ratings(run: Run): readonly LeagueRated[] {
  const now = lastStep(run)?.step ?? -1;
  const published = run.rated.filter(({ step }) => step <= now);
  return run.rated.length ? published : fromMetrics(run);
}

const RATING = /^league\/rating\/([^/]+)$/;

/** Return the ratings of an older run, whose steps have them as metrics alone. */
function fromMetrics(run: Run): LeagueRated[] {
  const rated = new Map<number, RatedPlayer[]>();
  for (const label of named(run, RATING)) {
    const lows = new Map(series(run, `league/rating/${label}/low`));
    const highs = new Map(series(run, `league/rating/${label}/high`));
    for (const [step, mean] of series(run, `league/rating/${label}`)) {
      const rating = { mean, low: lows.get(step) ?? null, high: highs.get(step) ?? null, n: 0 };
      rated.set(step, [...(rated.get(step) ?? []), { ...identity(label, word(run, 'run', 'name')), rating }]);
    }
  }
  return [...rated]
    .sort(([a], [b]) => a - b)
    .map(([step, players]) => ({ step, players: players.sort(byRating), payoffs: [] }));
}

function identity(label: string, run: string): Omit<RatedPlayer, 'rating'> {
  const version = /^v(\d+)$/.exec(label)?.[1];
  const kind = version === undefined ? (label === POLICY ? 'policy' : 'bot') : Number(version) ? 'policy' : 'base';
  return {
    name: version === undefined ? label : policyName(run, Number(version)),
    label,
    kind,
    role: '',
    version: version === undefined ? null : Number(version),
    landmark: false,
    share: null,
  };
}

/** Return the name of a version of the run's policy among the players. */
export const policyName = (run: string, version: number): string => `${run}@v${String(version).padStart(6, '0')}`;

const byRating = (a: RatedPlayer, b: RatedPlayer): number => (b.rating.mean ?? 0) - (a.rating.mean ?? 0);

/** The label of the present policy, where it has played more than one version since the last checkpoint. */
export const POLICY = 'policy';

/** Return whether a player is the policy as it is now: its newest rated version, or all since the last checkpoint. */
export function isPresent(player: RatedPlayer, { players }: LeagueRated): boolean {
  if (player.kind !== 'policy') return false;
  const present = players.some(({ label }) => label === POLICY);
  const newest = Math.max(...players.map(({ version }) => version ?? 0));
  return present ? player.label === POLICY : player.version === newest;
}

/** Return the ratings of every player over the steps, by label. */
export function curves(all: readonly LeagueRated[]): RatingCurve[] {
  const points = new Map<string, RatingPoint[]>();
  const players = new Map<string, RatedPlayer>();
  for (const { step, players: rated } of all)
    for (const player of rated) {
      if (player.rating.mean == null) continue;
      players.set(player.label, player);
      const own = points.get(player.label) ?? [];
      points.set(player.label, own);
      own.push(pointOf(step, player.rating));
    }
  return [...players].map(([label, player]) => ({ player, points: points.get(label) ?? [] }));
}

const pointOf = (step: number, { mean, low, high }: Estimate): RatingPoint => ({
  step,
  mean: mean ?? 0,
  low: low ?? null,
  high: high ?? null,
});

/** Return the rating of the policy as it was at each step: of another version each time. */
export function present(all: readonly LeagueRated[]): RatingPoint[] {
  return all.flatMap((rated) => {
    const player = rated.players.find((candidate) => isPresent(candidate, rated));
    return player?.rating.mean == null ? [] : [pointOf(rated.step, player.rating)];
  });
}

/** The elite version at a step, or null. */
export const elite = (run: Run, step: number): number | null => latest(run, 'league/elite', step) ?? null;

/** Most players that are shown at first. */
const FEW = 12;
/** Newest versions that are always among them. */
const NEWEST = 3;

/**
 * Return the players to show: all of a small league; of a large one the present policy, base and bots, landmarks, the
 * elite version and the newest ones.
 */
export function chosen(rated: LeagueRated, best: number | null, all: boolean): readonly RatedPlayer[] {
  if (all || rated.players.length <= FEW) return rated.players;
  const newest = rated.players
    .flatMap(({ version }) => version ?? [])
    .sort((a, b) => b - a)
    .slice(0, NEWEST);
  return rated.players.filter(
    (player) =>
      player.kind === 'base' ||
      player.kind === 'bot' ||
      player.landmark ||
      isPresent(player, rated) ||
      (player.version != null && (player.version === best || newest.includes(player.version))),
  );
}

/** The results of a player against another. */
export interface Result {
  readonly share: Estimate;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly games: number;
  readonly differ: boolean;
}

/** Return the results of `player` against `opponent`, whichever of them is listed first; null if they did not meet. */
export function result({ payoffs }: LeagueRated, player: string, opponent: string): Result | null {
  const own = payoffs.find((payoff) => payoff.player === player && payoff.opponent === opponent);
  if (own) return own;
  const theirs = payoffs.find((payoff) => payoff.player === opponent && payoff.opponent === player);
  return theirs ? reversed(theirs) : null;
}

function reversed({ share, wins, draws, losses, games, differ }: LeaguePayoff): Result {
  const { mean, low, high, n } = share;
  const other = (value: number | null | undefined): number | null => (value == null ? null : 1 - value);
  return {
    share: { mean: other(mean), low: other(high), high: other(low), n },
    wins: losses,
    draws,
    losses: wins,
    games,
    differ,
  };
}

/** An opponent of a step: the chance that a seat is its own, and its share of the seats in the matches played. */
export interface Meeting {
  readonly name: string;
  readonly chance: number;
  readonly met: number | null;
  /** The policy's expected score against it by earlier results. */
  readonly expected: number | null;
  /** The policy's score in the matches of the step with it. */
  readonly score: number | null;
  readonly chances: readonly Point[];
  readonly mets: readonly Point[];
}

/** Return all opponents so far with their figures of step `until`, those with the greatest chance there first. */
export function meetings(run: Run, until: number): Meeting[] {
  const step = Math.min(until, lastStep(run)?.step ?? 0);
  const at = (name: string): number | null => {
    const [known, value] = series(run, name).findLast(([at]) => at <= step) ?? [];
    return known === step ? (value ?? null) : null;
  };
  const measured = at('league/met/self') !== null || named(run, MET).some((name) => at(`league/met/${name}`) !== null);
  return named(run, CHANCE)
    .map((name) => ({
      name,
      chance: at(`league/chance/${name}`) ?? 0,
      met: at(`league/met/${name}`) ?? (measured ? 0 : null),
      expected: at(`league/expected/${name}`),
      score: at(`league/score/${name}`),
      chances: series(run, `league/chance/${name}`),
      mets: series(run, `league/met/${name}`),
    }))
    .sort((a, b) => b.chance - a.chance || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

const CHANCE = /^league\/chance\/(.+)$/;
const MET = /^league\/met\/(.+)$/;

/** A difference with its 95 % interval. */
export interface Difference {
  readonly name: string;
  readonly step: number;
  readonly estimate: Estimate;
}

/** Return the latest differences up to step `until` that the metrics `kind/NAME`, `kind/NAME/low` and `/high` state. */
export function differences(run: Run, kind: 'exploitation' | 'forgetting', until: number): Difference[] {
  return named(run, new RegExp(`^${kind}/([^/]+)$`))
    .flatMap((name) => {
      const last = series(run, `${kind}/${name}`).findLast(([step]) => step <= until);
      if (!last) return [];
      const [step, mean] = last;
      const end = (which: string): number | null =>
        series(run, `${kind}/${name}/${which}`).find(([at]) => at === step)?.[1] ?? null;
      return [{ name, step, estimate: { mean, low: end('low'), high: end('high'), n: 0 } }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}
