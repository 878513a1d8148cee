/** The colours of pictures: of seats, of the tones of places, and of the tones of things. */

import { capital } from '../../lib/text';
import type { SeatLook } from '../game';
import { COLOURS, type Thing } from './picture.gen';

export type Tone = NonNullable<Thing['tone']>;

/** The ground of a place. Ink is readable on each of them. */
const GROUNDS: Readonly<Record<Tone, string>> = {
  '': 'transparent',
  paper: 'var(--sheet)',
  table: 'light-dark(#78a664, #2f5239)',
  land: 'light-dark(#efe6cc, #3a3d35)',
  water: 'light-dark(#c6d9de, #13242f)',
  dark: 'light-dark(#cfbe9b, #28333d)',
  light: 'light-dark(#f3ebd7, #404d58)',
  accent: 'color-mix(in oklab, var(--accent) 30%, var(--sheet))',
  good: 'color-mix(in oklab, var(--good) 30%, var(--sheet))',
  bad: 'color-mix(in oklab, var(--live) 30%, var(--sheet))',
  muted: 'var(--sunk)',
};

/** The body of a thing, and the ink on it. */
const BODIES: Readonly<Record<Tone, readonly [string, string]>> = {
  '': ['var(--ink-soft)', 'var(--sheet)'],
  paper: ['var(--sheet)', 'var(--ink)'],
  table: ['light-dark(#3f6b52, #7fb096)', 'var(--sheet)'],
  land: ['light-dark(#8a7440, #cdb987)', 'var(--sheet)'],
  water: ['light-dark(#3c6471, #7fa5b5)', 'var(--sheet)'],
  dark: ['var(--black)', 'var(--white)'],
  light: ['var(--white)', 'var(--black)'],
  accent: ['var(--accent)', 'var(--on-accent)'],
  good: ['var(--good)', 'var(--sheet)'],
  bad: ['var(--live)', 'var(--on-live)'],
  muted: ['var(--ink-faint)', 'var(--sheet)'],
};

/** The edge of a table, and the line along it. */
export const TABLE = { edge: 'light-dark(#54794a, #1d3325)', line: 'light-dark(#fdf8ea, #8fae94)' } as const;

/** The faces of playing cards, and the inks of their suits, in both themes. */
export const CARD = { face: '#fbf8ef', red: '#b3261e', black: '#1b252e', edge: '#8d8674' } as const;

/** Return the ground of a place of this tone, or of its owner. */
export function groundOf(tone: Tone | undefined, owner: Pick<SeatLook, 'colour' | 'wash'> | null): string {
  return owner ? (owner.wash ?? `color-mix(in oklab, ${owner.colour} 34%, var(--sheet))`) : GROUNDS[tone ?? ''];
}

/** Return the colours of a thing of this tone, or of its owner's colour: its body, and the ink on it. */
export function bodyOf(tone: Tone | undefined, colour: string | null): readonly [body: string, ink: string] {
  return colour === null ? BODIES[tone ?? ''] : [colour, 'var(--sheet)'];
}

/** Return the appearance of a seat that has none of its own; `seats` are all seats in order, if they are known. */
export function seatLook(id: string, seats: readonly string[]): SeatLook {
  const index = seats.indexOf(id);
  const number = /\d+$/.exec(id)?.[0] ?? '';
  const [light, dark] = COLOURS[(index < 0 ? hashOf(id) : index) % COLOURS.length] ?? COLOURS[0];
  return {
    name: capital(id.replaceAll('_', ' ')),
    short: number ? `${id.charAt(0).toUpperCase()}${number}` : id.slice(0, 3).toUpperCase(),
    colour: `light-dark(${light}, ${dark})`,
  };
}

function hashOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
