import { describe, expect, it } from 'vitest';

import { prefer, preferences, wish, wished } from './preferences';

function memory(kept: Record<string, string> = {}) {
  return () => ({
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
  });
}

const USUAL = { volume: 1, rate: 1, voice: '', muted: false };

describe('what a viewer has chosen', () => {
  it('is remembered', () => {
    const storage = memory();
    expect(wished(storage)).toBeNull();
    wish(false, storage);
    expect(wished(storage)).toBe(false);
    const chosen = { volume: 0.35, rate: 1.15, voice: 'Daniel', muted: true };
    prefer(chosen, storage);
    expect(preferences(storage)).toEqual(chosen);
  });

  it('is the usual where storage is forbidden or holds something else', () => {
    const forbidden = (): never => {
      throw new Error('denied');
    };
    expect([wished(forbidden), preferences(forbidden)]).toEqual([null, USUAL]);
    prefer(USUAL, forbidden);
    for (const text of ['{', 'null', '[]', '{"volume": 7, "rate": 0, "voice": 3, "muted": "yes"}'])
      expect(preferences(memory({ 'voice.sound': text }))).toEqual(USUAL);
  });
});
