/** Times in a readable form. */

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Return `at` (Unix seconds) relative to `now`: `3 minutes ago`. */
export function ago(at: number, now: number): string {
  const elapsed = now - at;
  for (const [unit, length] of UNITS)
    if (elapsed >= length) return RELATIVE.format(-Math.floor(elapsed / length), unit);
  return 'just now';
}

/** Return seconds as `4:09` or `1:04:09`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const padded = String(rest).padStart(2, '0');
  return hours ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/** Return `at` (Unix seconds) as a time of day in the reader's time zone. */
export function timeOfDay(at: number): string {
  return new Date(at * 1000).toLocaleTimeString('en-GB');
}
