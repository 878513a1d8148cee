/** The characters of a match, and the voice of each. Pure. */

import type { SeatInfo } from '../types.gen';

/** A voice, with the multiples of the usual pitch and rate. */
export interface Part<V> {
  readonly voice: V;
  readonly pitch: number;
  readonly rate: number;
}

/** Pitches and rates, the usual ones first, by which characters with the same voice differ. */
const TONES = [
  { pitch: 1, rate: 1 },
  { pitch: 0.75, rate: 0.95 },
  { pitch: 1.3, rate: 1.05 },
  { pitch: 0.6, rate: 1 },
  { pitch: 1.55, rate: 1 },
  { pitch: 0.85, rate: 1.1 },
  { pitch: 1.15, rate: 0.9 },
  { pitch: 0.5, rate: 0.9 },
];

/**
 * Return the part of each of `names`: the voice that its name stands for or, if another has it, the next one that is free.
 * When no voice is free, characters share voices and differ in tone. `shared` says that the usual tone is the commentator's.
 */
export function cast<V>(names: readonly string[], voices: readonly V[], shared: boolean): ReadonlyMap<string, Part<V>> {
  const all = (shared ? TONES.slice(1) : TONES).flatMap((tone) => voices.map((voice) => ({ voice, ...tone })));
  const parts = new Map<string, Part<V>>();
  const taken = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    const first = hash(name) % voices.length;
    const order = all.map((_, n) => n - (n % voices.length) + ((first + n) % voices.length));
    const at = order.find((slot) => !taken.has(slot)) ?? first;
    taken.add(at);
    const part = all[at];
    if (part) parts.set(name, part);
  }
  return parts;
}

/** A proper name, as characters and people have; programs and models are named in lower case. */
const PROPER = /^\p{Lu}/u;

/** Return the name of the character that plays `seat`, or '' if its player has no name of its own in this match. */
export function characterOf(seat: string, seats: readonly SeatInfo[]): string {
  const player = seats.find((info) => info.seat === seat)?.player ?? '';
  return PROPER.test(player) && seats.filter((info) => info.player === player).length === 1 ? player : '';
}

/** Return the FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value;
}
