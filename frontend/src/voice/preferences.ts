/** The viewer's preferences for the voice. The browser remembers them for all matches. */

import type { Sound } from './speaker';

const WISH = 'voice';
const SOUND = 'voice.sound';

export interface Preferences extends Sound {
  /** Captions alone, without sound. */
  readonly muted: boolean;
}

export const RATES = [0.8, 0.9, 1, 1.15, 1.3] as const;

/** The choice of `voice` that prefers the voice of the match; any other is a name of a voice of the browser. */
export const OF_MATCH = '';

const USUAL: Preferences = { volume: 1, rate: 1, voice: OF_MATCH, muted: false };

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** Return whether the viewer wants matches read aloud; null without a choice. */
export function wished(storage: () => Storage = () => localStorage): boolean | null {
  const kept = read(storage, WISH);
  return kept === null ? null : kept === 'on';
}

export function wish(on: boolean, storage: () => Storage = () => localStorage): void {
  write(storage, WISH, on ? 'on' : 'off');
}

/** Return the remembered preferences; the usual ones in place of what cannot be read. */
export function preferences(storage: () => Storage = () => localStorage): Preferences {
  let kept: Partial<Record<keyof Preferences, unknown>> = {};
  try {
    const value: unknown = JSON.parse(read(storage, SOUND) ?? '{}');
    if (typeof value === 'object' && value !== null) kept = value;
  } catch {
    // What another version has written is replaced with the next choice.
  }
  const { volume, rate, voice, muted } = kept;
  return {
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    rate: RATES.find((known) => known === rate) ?? USUAL.rate,
    voice: typeof voice === 'string' ? voice : USUAL.voice,
    muted: muted === true,
  };
}

export function prefer(chosen: Preferences, storage: () => Storage = () => localStorage): void {
  write(storage, SOUND, JSON.stringify(chosen));
}

function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch {
    // If storage is forbidden, the choice is lost when the user leaves the page.
  }
}
