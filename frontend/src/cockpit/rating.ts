/** A player's results in a few words. */

import type { PlayerRecord } from '../types.gen';
import { many } from '../lib/say';

type Rated = Pick<PlayerRecord, 'seats' | 'scored' | 'mean_score' | 'ci95'>;

/** Return the results like `0.42 (0.31–0.55) over 12 seats`, and the number of seats that do not count. */
export function rating(record: Rated | undefined): string {
  if (!record) return 'not rated yet';
  const left = record.seats - record.scored;
  if (record.mean_score == null) return `– (its fallback or another player played in ${seats(left)})`;
  const interval = record.ci95 ? ` (${record.ci95.map((end) => end.toFixed(2)).join('–')})` : '';
  const over = many(record.scored, 'seat');
  return `${record.mean_score.toFixed(2)}${interval} over ${over}${left ? `, ${left} not counted` : ''}`;
}

const seats = (count: number): string => (count === 1 ? 'its one seat' : `all its ${count} seats`);
