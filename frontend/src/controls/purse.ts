/** What a visitor may still use of the server, in words. */

import { agree } from '../lib/say';
import type { PurseInfo } from '../types.gen';

/** Return what a match costs and what is left, or when there is enough. */
export function purseWords({ balance, credits, match, wait }: PurseInfo): string {
  const left = `${Math.max(0, Math.floor(balance))} of ${Math.round(credits)} credits`;
  if (wait > 0) return `A match takes ${round(match)} credits and you have ${left}: enough in ${lasting(wait)}.`;
  return `A match takes ${round(match)} of your credits at its start and gives back what it does not use. You have ${left}.`;
}

function round(credits: number): string {
  return String(Math.round(10 * credits) / 10);
}

function lasting(seconds: number): string {
  const [number, unit] = seconds < 90 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${number} ${agree(number, unit)}`;
}
