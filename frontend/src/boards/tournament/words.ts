/** A tournament in sentences, for its page, the log, the marks of the timeline and the lobby. */

import { cost } from '../../lib/format';
import { duration, signed } from '../../lib/numbers';
import { plain } from '../../lib/text';
import { listed, many } from '../../lib/say';
import type { CoreEvent, Estimate, Event, Standing, StandingsUpdated } from '../../types.gen';
import type { Marker } from '../game';
import { counts, duel, playersOf, points, ranks, reduce, remaining, type Game, type Tournament } from './state';

const MINUS = '−';
const LONGEST = 40;

/** Return the name of a player as it is shown. */
export const called = (player: string): string => plain(player, LONGEST);

/** Return a score with three decimals, or fewer for large ones: `0.143`, `182`. */
export function score(value: number | null | undefined): string {
  if (value == null) return '–';
  const places = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return value.toFixed(places).replace('-', MINUS);
}

/** Return a rating in Elo points. */
export const rating = (value: number | null | undefined): string => (value == null ? '–' : String(Math.round(value)));

/** Return a difference of ratings in Elo points, with its sign. */
export const elo = (value: number | null | undefined): string => (value == null ? '–' : signed(value, 0));

/** Return a share as a whole percentage. */
export const share = (value: number | null | undefined): string => (value == null ? '–' : `${Math.round(100 * value)}`);

/** Return an interval like `0.512 to 0.731`, or that the sample is too small for one. */
export function interval({ low, high, n = 0 }: Estimate, format: (value: number) => string): string {
  if (low == null || high == null) return n ? 'n too small' : 'no match yet';
  return `${format(low)} to ${format(high)}`;
}

export const matches = (count: number): string => many(count, 'match', 'matches');

/** Return the possible rank of a player: `1`, or `1–3` where players are not separated. */
export function rankText(standings: StandingsUpdated, player: string): string {
  const [best, worst] = ranks(standings, player);
  return best === worst ? String(best) : `${best}–${worst}`;
}

/** Return a comparison in a sentence: the share of `a` against `b`, its interval, and whether they are separated. */
export function comparison(standings: StandingsUpdated, a: string, b: string): string {
  const pair = duel(standings.cross ?? [], a, b);
  const [first, second] = [called(a), called(b)];
  if (!pair || pair.share.mean == null) return `${first} against ${second}: no comparison yet`;
  const { n = 0 } = pair.share;
  const range = interval(pair.share, share);
  const known = pair.share.low != null;
  const parts = [
    `${share(pair.share.mean)} %`,
    known ? `95 % interval ${range} %` : `${range} for an interval`,
    many(n, 'comparison'),
  ];
  if (pair.stronger != null)
    parts.push(`the stronger with probability ${Math.round(100 * pair.stronger)} % by the ratings`);
  const so = pair.ahead ? `${first} is ahead` : pair.behind ? `${second} is ahead` : 'not separated';
  return `${first} against ${second}: ${parts.join(', ')}; ${so}.`;
}

/** What is separated and what is not. */
export interface Separation {
  /** `alpha is ahead of beta and gamma`, the strongest first. */
  readonly ahead: readonly string[];
  /** `alpha and beta`. */
  readonly open: readonly string[];
}

export function separation(standings: StandingsUpdated): Separation {
  const names = standings.table.map(({ player }) => player);
  const cross = standings.cross ?? [];
  const ahead = names.flatMap((name) => {
    const below = names.filter((other) => other !== name && duel(cross, name, other)?.ahead);
    return below.length ? [`${called(name)} is ahead of ${listed(below.map(called))}`] : [];
  });
  const open = names.flatMap((name, index) =>
    names.slice(index + 1).flatMap((other) => {
      const pair = duel(cross, name, other);
      return pair?.ahead || pair?.behind ? [] : [`${called(name)} and ${called(other)}`];
    }),
  );
  return { ahead, open };
}

/** Return the first player of the standings, or null before the first result. */
export function leader({ standings }: Tournament): Standing | null {
  const first = standings?.table[0];
  return first?.score.mean == null ? null : first;
}

/** Return how far the leader is ahead: `ahead of all others`, or `not separated from beta yet`. */
export function lead(cup: Tournament): string {
  const { standings } = cup;
  const first = leader(cup);
  if (!standings || !first) return '';
  const open = standings.table.filter(
    ({ player }) => player !== first.player && !duel(standings.cross ?? [], first.player, player)?.ahead,
  );
  if (!open.length) return 'ahead of all others, beyond chance';
  const yet = cup.ended ? '' : ' yet';
  if (open.length === standings.table.length - 1 && open.length > 2) return `not separated from anybody${yet}`;
  const names = open.length > 3 ? `${open.length} others` : listed(open.map(({ player }) => called(player)));
  return `not separated from ${names}${yet}`;
}

/** Return the progress: `12 of 30 played, 2 live, 1 failed`. */
export function progress(cup: Tournament): string {
  const { done, failed, live } = counts(cup);
  return [
    `${done + failed} of ${cup.planned} played`,
    live && !cup.ended ? `${live} live` : '',
    failed ? `${failed} failed` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Return the state of the tournament in a line. */
export function line(cup: Tournament): string {
  const first = leader(cup);
  return [progress(cup), first ? `${called(first.player)} leads, ${lead(cup)}` : ''].filter(Boolean).join('; ');
}

/** Return the time that is left at the present pace: `about 4 min left`, or ''. */
export function left(cup: Tournament): string {
  const seconds = remaining(cup);
  return seconds === null ? '' : `about ${duration(Math.max(1, seconds))} left`;
}

/** Return what the tournament has cost so far: `12.3k tokens, $0.04`, or '' where nothing is paid for. */
export function spending(dollars: number | null | undefined): string {
  return dollars ? cost(dollars) : dollars === 0 ? 'free' : '–';
}

const MARK: Record<Game['progress'], string> = {
  waiting: 'waiting',
  live: 'live',
  done: 'played',
  failed: 'failed',
};

/** Return the name of a match: `Match 1` for the first, whose number is 0. */
export const named = (number: number): string => `Match ${number + 1}`;

/** Return the state of a match in a word. */
export const stateWord = ({ progress }: Game): string => MARK[progress];

/** Return the players of a match: `alpha, beta`. */
export const versus = (game: Pick<Game, 'players'>): string => playersOf(game).map(called).join(', ');

/** Return the result of a match: `alpha 0.620, beta 0.380`; or why it has none. */
export function result(game: Game): string {
  if (game.progress === 'failed') return plain(game.played?.message || 'it was not played to its end', 200);
  return playersOf(game)
    .map((player) => [called(player), points(game, player)] as const)
    .sort(([, a], [, b]) => (b ?? -Infinity) - (a ?? -Infinity))
    .map(([name, value]) => (value === null ? name : `${name} ${score(value)}`))
    .join(', ');
}

/** Return a sentence about an event of the tournament. */
export function describe(raw: Event, before: Tournament): string {
  const event = raw as CoreEvent;
  switch (event.type) {
    case 'PairingsDrawn':
      return `${matches(event.data.pairings.length)} drawn`;
    case 'PairingBegan': {
      const game = before.games.find(({ number }) => number === event.data.number);
      return `${named(event.data.number)} began${game ? `: ${versus(game)}` : ''}`;
    }
    case 'PairingPlayed': {
      const game = reduce(before, event).games.find(({ number }) => number === event.data.number);
      const how = event.data.status === 'finished' ? '' : ' failed';
      return `${named(event.data.number)}${how}${game ? `: ${result(game)}` : ''}`;
    }
    case 'StandingsUpdated': {
      const [was, is] = [leader(before), leader(reduce(before, event))];
      return is && is.player !== was?.player ? `${called(is.player)} takes the lead` : '';
    }
    default:
      return '';
  }
}

/** Return marks for failed matches and for changes of the lead. */
export function markers(event: Event, before: Tournament): Marker[] {
  const label = describe(event, before);
  if (event.type === 'StandingsUpdated' && label && leader(before))
    return [{ kind: 'note', label, seat: leader(reduce(before, event))?.player ?? '', weight: 2 }];
  if (event.type === 'PairingPlayed' && event.data['status'] !== 'finished')
    return [{ kind: 'note', label, weight: 1 }];
  return [];
}
