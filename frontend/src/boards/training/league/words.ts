/** The league in words, with what is beyond chance and what is not. */

import { count } from '../../../lib/format';
import { plain } from '../../../lib/text';
import { agree, many } from '../../../lib/say';
import type { Estimate, LeagueRated, RatedPlayer } from '../../../types.gen';
import { POLICY, type RatingPoint, type Result } from './league';

const LONGEST = 40;
const ITSELF = 'self';
const EVEN = 0.5;

/** Return the name of a player, by its label in metrics. */
export function called(label: string): string {
  if (label === POLICY) return 'Policy';
  if (label === ITSELF) return 'Itself';
  return label === 'v0' ? 'Base' : plain(label, LONGEST);
}

const KINDS: Readonly<Record<RatedPlayer['kind'], string>> = {
  base: 'where the run began',
  bot: 'bot',
  policy: 'version',
  peer: 'of another run',
};

/** Return what a player is: `landmark`, `bot`, `main exploiter`. */
export function kind(player: RatedPlayer, best: number | null): string {
  const parts = [
    player.label === POLICY ? 'since the last checkpoint' : KINDS[player.kind],
    player.landmark && 'landmark',
    player.version != null && player.version === best && 'elite',
    plain(player.role.replaceAll('_', ' '), LONGEST),
  ].filter(Boolean);
  return parts.slice(player.kind === 'policy' && parts.length > 1 && player.version != null ? 1 : 0).join(', ');
}

/** What a share or a difference shows: nothing from few games, and nothing that its interval does not exclude. */
export type Verdict = 'above' | 'below' | 'open' | 'few';

export function verdict({ mean, low, high }: Estimate, even: number): Verdict {
  if (mean == null || low == null || high == null) return 'few';
  if (low > even) return 'above';
  return high < even ? 'below' : 'open';
}

/** Return the verdict on a pair: at 5 % for all pairs together, which is stricter than the interval of one pair. */
export function pairVerdict({ share, differ }: Result): Verdict {
  const alone = verdict(share, EVEN);
  return alone === 'few' || differ ? alone : 'open';
}

/** Return a share as whole per cent: `63`. */
export const cent = (share: number | null | undefined): string =>
  share == null ? '–' : String(Math.round(100 * share));

const range = (low: number, high: number, write: (value: number) => string): string =>
  `${write(low)} to ${write(high)}`;

const VERDICTS: Readonly<Record<Verdict, string>> = {
  above: 'ahead, beyond chance',
  below: 'behind, beyond chance',
  open: 'no difference shown',
  few: 'too few situations to say',
};

/** Return a sentence on the results of two players. */
export function resultWords(player: string, opponent: string, result: Result | null): string {
  const names = `${called(player)} against ${called(opponent)}`;
  if (!result) return `${names}: they have not met`;
  const { share, games, wins, draws, losses } = result;
  const interval =
    share.low == null || share.high == null ? '' : `, 95 % interval ${range(share.low, share.high, cent)} %`;
  const situations = `${count(games)} ${agree(games, 'comparison')} in ${many(share.n, 'situation')}`;
  return `${names}: won ${cent(share.mean)} %${interval}; ${VERDICTS[pairVerdict(result)]}. ${wins} won, ${draws} drawn, ${losses} lost: ${situations}.`;
}

const whole = (value: number): string => String(Math.round(value));

/** Return an interval as `1510–1664`, or that there is none. */
export function interval(low: number | null | undefined, high: number | null | undefined): string {
  if (low == null || high == null) return 'no interval';
  return Math.round(low) === Math.round(high) ? 'the reference' : `${whole(low)}–${whole(high)}`;
}

/** Return a sentence on a rating. */
export function ratingWords(label: string, point: RatingPoint): string {
  return `${called(label)} after step ${point.step}: ${whole(point.mean)}, ${interval(point.low, point.high)}`;
}

/** Return a sentence on the ratings of a step. */
export function ratedWords({ step, players }: LeagueRated): string {
  const [best, second] = players;
  if (!best) return `Step ${step}: nobody is rated yet`;
  const ahead = second?.rating.high != null && best.rating.low != null && best.rating.low > second.rating.high;
  const leader = `${called(best.label)} ${ahead ? 'leads' : 'is first, not beyond chance,'} with ${whole(best.rating.mean ?? 0)}`;
  return `Ratings of step ${step}: ${leader}, of ${many(players.length, 'player')}`;
}
