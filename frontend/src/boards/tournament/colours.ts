/** The colours of players, and of shares in tables. */

import { hue } from '../../lib/chart/hue';
import type { Tournament } from './state';

/** Return the colour of a player. */
export function colour({ entrants }: Tournament, player: string): string {
  return hue(Math.max(0, entrants.indexOf(player)));
}

const STRONGEST = 38;

/** Return the background of a value on a scale around `middle`: green above it, red below, pale near it. */
export function heat(value: number | null | undefined, middle: number, reach: number): string {
  if (value == null || reach <= 0) return 'transparent';
  const strength = Math.min(1, Math.abs(value - middle) / reach);
  const tone = value >= middle ? 'var(--good)' : 'var(--live)';
  return `color-mix(in oklab, ${tone} ${Math.round(STRONGEST * strength)}%, var(--sheet))`;
}
