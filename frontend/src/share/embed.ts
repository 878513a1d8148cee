/**
 * The embedded page's options, from its address, and its messages to and from the page around it; docs/embed.md
 * describes them.
 */

import { DIALS } from '../episode/show/pace';

export interface EmbedOptions {
  /** `auto` follows the system. */
  readonly theme: 'auto' | 'light' | 'dark';
  /** The moment to begin with; null for the first turn, or the live end. */
  readonly first: number | null;
  /** The moment to end with; null for the end of the match. */
  readonly last: number | null;
  readonly autoplay: boolean;
  /** The id of a dial. */
  readonly pace: string;
  readonly controls: boolean;
  readonly muted: boolean;
  /** The origin of the page around this one, if the address names it. */
  readonly origin: string | null;
}

/** A message to the page around this one. */
export type EmbedEvent =
  | { event: 'ready'; episode: string; seq: number; last: number; status: string }
  | { event: 'turn'; episode: string; seq: number; turn: string }
  | { event: 'ended'; episode: string; seq: number; text: string };

/** A message from the page around this one. */
export type EmbedCommand = { command: 'play' } | { command: 'pause' } | { command: 'seek'; seq: number };

/** The mark of all messages in both directions. */
export const SOURCE = 'grandstand';

const THEMES = new Set(['auto', 'light', 'dark']);

/** Return the options of an address. An option that cannot be read has its default. */
export function readOptions(search: URLSearchParams): EmbedOptions {
  const theme = search.get('theme') ?? '';
  const pace = search.get('pace') ?? '';
  const [first, last] = [number(search.get('first') ?? search.get('seq')), number(search.get('last'))];
  return {
    theme: THEMES.has(theme) ? (theme as EmbedOptions['theme']) : 'auto',
    first,
    last: last !== null && last > (first ?? 0) ? last : null,
    autoplay: search.get('autoplay') !== '0',
    pace: DIALS.some((dial) => dial.id === pace) ? pace : 'live',
    controls: search.get('controls') !== '0',
    muted: search.get('muted') !== '0',
    origin: originOf(search.get('origin')),
  };
}

/** Return the match whose embedded page has the path `pathname`: its last part. */
export function embeddedId(pathname: string): string {
  const part = pathname.split('/').findLast(Boolean) ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function number(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Return the origin of an address; null for text that is none. */
export function originOf(text: string | null): string | null {
  try {
    const { origin } = new URL(text ?? '');
    return origin === 'null' ? null : origin;
  } catch {
    return null;
  }
}

/**
 * Return the origin to talk to: the one that the address names or, without it, that of the page that loaded this one;
 * null if neither is known, and then no messages are sent or obeyed.
 */
export function parentOrigin(options: EmbedOptions, referrer: string): string | null {
  return options.origin ?? originOf(referrer);
}

/** Return the command of a message, or null if it holds none. */
export function readCommand(data: unknown): EmbedCommand | null {
  if (typeof data !== 'object' || data === null) return null;
  const { target, command, seq } = data as Record<string, unknown>;
  if (target !== SOURCE) return null;
  if (command === 'play' || command === 'pause') return { command };
  const valid = command === 'seek' && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0;
  return valid ? { command, seq } : null;
}
