/** The colours of values in a table. */

const STRONGEST = 38;

/** Return the background of a value on a scale around `middle`: green above it, red below, pale near it. */
export function heat(value: number | null | undefined, middle: number, reach: number): string {
  if (value == null || reach <= 0) return 'transparent';
  const strength = Math.min(1, Math.abs(value - middle) / reach);
  const tone = value >= middle ? 'var(--good)' : 'var(--live)';
  return `color-mix(in oklab, ${tone} ${Math.round(STRONGEST * strength)}%, var(--sheet))`;
}
