/** The values of a report in words. */

import { cost, count } from '../lib/format';
import { duration, percent, short, signed } from '../lib/numbers';
import { many } from '../lib/say';
import { plain } from '../lib/text';
import type { Column, Progress, Value } from '../types.gen';

export type Unit = Column['unit'];
export type Tone = Value['tone'];

const LONGEST = 600;
/** Counts from this one on are rounded. */
const LARGE = 100_000;
const SIZES = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** Return a value with its unit: `12 %`, `+0.086`, `$1.20`; a dash for null. */
export function written(value: number | string | null | undefined, unit: Unit = ''): string {
  if (value == null) return '–';
  if (typeof value === 'string') return plain(value, LONGEST);
  return NUMBERS[unit](value);
}

const NUMBERS: Record<Unit, (value: number) => string> = {
  '': (value) => digits(value),
  share: percent,
  elo: (value) => whole(value).replaceAll(',', ''),
  dollars: cost,
  seconds: duration,
  count: (value) => (value < LARGE ? whole(value) : count(value)),
  signed: (value) => (value > 0 ? `+${digits(value)}` : digits(value)),
  'signed elo': (value) => signed(value, 0),
  bytes: (value) => {
    const size = SIZES.find(([, unit]) => value >= unit);
    return size ? `${short(value / size[1])} ${size[0]}` : `${whole(value)} bytes`;
  },
};

/** Return a number on an axis, which is a round one. */
export function tick(value: number, unit: Unit): string {
  if (unit === '' || unit === 'signed') return short(value);
  if (unit === 'dollars') return value < 0 ? `−$${short(-value)}` : `$${short(value)}`;
  return NUMBERS[unit](value);
}

/** Return a number with as many digits as its size makes sense of: `0.854`, `12.3`, `1,730`. */
function digits(value: number): string {
  const size = Math.abs(value);
  if (Number.isInteger(value) || size < 1e-3 || size >= 1e5) return short(value);
  const places = size < 10 ? 3 : size < 100 ? 1 : 0;
  return whole(value, places);
}

const whole = (value: number, places = 0): string =>
  value
    .toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places })
    .replace(/^-(?=0(\.0+)?$)/, '')
    .replace('-', '−');

/** Return the interval of a value: `0.730 to 0.927`; '' if it has none. */
export function interval({ low, high }: Pick<Value, 'low' | 'high'>, unit: Unit): string {
  return low == null || high == null ? '' : `${written(low, unit)} to ${written(high, unit)}`;
}

/** The least part of an interval's length that counts as a difference of its halves. */
const UNEVEN = 0.02;

/** Return the interval of a value beside it: `± 0.021` where it is even, else its bounds. */
export function around(value: Value, unit: Unit): string {
  const { low, high, value: middle } = value;
  if (low == null || high == null || typeof middle !== 'number') return '';
  const uneven = Math.abs(high + low - 2 * middle) > UNEVEN * (high - low);
  if (uneven) return interval(value, unit);
  const half = unit === 'signed' ? '' : unit === 'signed elo' ? 'elo' : unit;
  return `± ${written((high - low) / 2, half)}`;
}

/** Return the name of an interval: `95 % interval`. */
export const intervalName = ({ level }: Pick<Value, 'level'>): string =>
  `${Number((100 * level).toPrecision(3))} % interval`;

/** Return a value and its interval for those who hear them. */
export function spoken(value: Value, unit: Unit): string {
  const bounds = interval(value, unit);
  const named = bounds && `${intervalName(value)} ${bounds}`;
  return [written(value.value, unit), named, sample(value), plain(value.note, LONGEST)].filter(Boolean).join(', ');
}

export const sample = ({ n }: Pick<Value, 'n'>): string => (n == null ? '' : `n = ${written(n, 'count')}`);

/** Return how far a campaign is: `24 of 30 matches, 1 failed, about 12 min left`. */
export function progressText({ done, total, unit, failed, seconds }: Progress): string {
  const parts = [total ? `${done} of ${written(total, 'count')} ${plain(unit, 40)}` : `${done} ${plain(unit, 40)}`];
  if (failed) parts.push(`${failed} failed`);
  if (seconds != null && done < total) parts.push(`about ${duration(seconds)} left`);
  return parts.join(', ');
}

/** Return the number of matches in words. */
export const matchCount = (count: number): string => many(count, 'match', 'matches');
