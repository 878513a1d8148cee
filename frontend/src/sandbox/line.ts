/** The line of a sandbox in its address: the moves that are tried, how many of them are shown, and a question. */

import type { SandboxMove } from '../types.gen';

export interface Line {
  readonly moves: readonly SandboxMove[];
  /** How many of the moves are shown; those after them may be a solution. */
  readonly shown: number;
  /** The number of the draws of chance. */
  readonly draw: number;
  /** What the reader is asked to find; '' if nothing. */
  readonly question: string;
}

export const EMPTY: Line = { moves: [], shown: 0, draw: 0, question: '' };

/** The most characters of a question. */
export const LONGEST = 200;
/** The most characters of a packed line, and of what it is unpacked to. */
const PACKED = 64_000;
const UNPACKED = 512_000;

/** Return the part of an address after `#` that holds a line; '' for an empty one. */
export async function pack({ moves, shown, draw, question }: Line): Promise<string> {
  if (!moves.length && !draw && !question) return '';
  const text = JSON.stringify([moves.map(({ seat, action }) => [seat, action ?? null]), shown, draw, question]);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return `line=${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Return the line that an address holds; null if it cannot be read. */
export async function unpack(hash: string): Promise<Line | null> {
  const packed = /^#?line=([A-Za-z0-9_-]+)$/.exec(hash)?.[1];
  if (packed === undefined) return /^#?$/.test(hash) ? EMPTY : null;
  if (packed.length > PACKED) return null;
  try {
    return checked(JSON.parse(await inflated(atob(packed.replaceAll('-', '+').replaceAll('_', '/')))));
  } catch {
    return null;
  }
}

/** Return the text that was compressed to `letters`. Throws if it is damaged or too long. */
async function inflated(letters: string): Promise<string> {
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > UNPACKED) throw new Error('too long');
  }
}

function checked(data: unknown): Line | null {
  if (!Array.isArray(data)) return null;
  const [moves, shown, draw, question] = data as unknown[];
  const number = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
  if (!Array.isArray(moves) || !moves.every(isMove) || !number(shown) || !number(draw)) return null;
  if (shown > moves.length || typeof question !== 'string' || question.length > LONGEST) return null;
  return { moves: moves.map(([seat, action]) => ({ seat, action })), shown, draw, question };
}

function isMove(entry: unknown): entry is [SandboxMove['seat'], SandboxMove['action']] {
  if (!Array.isArray(entry)) return false;
  const [seat, action] = entry as unknown[];
  return (
    (seat === null || typeof seat === 'string') &&
    (action === null || (typeof action === 'object' && !Array.isArray(action)))
  );
}
