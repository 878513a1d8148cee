import { describe, expect, it } from 'vitest';

import { keepDial, keptDial } from './keptDial';

function memory(): () => Pick<Storage, 'getItem' | 'setItem'> {
  const values = new Map<string, string>();
  return () => ({
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  });
}

describe('the dial', () => {
  it('is kept for the match that it was chosen in', () => {
    const storage = memory();
    expect(keptDial('cricket-1', storage)).toBeNull();
    keepDial('cricket-1', 'highlights', storage);
    expect(keptDial('cricket-1', storage)).toBe('highlights');
    expect(keptDial('cricket-2', storage)).toBeNull();
  });

  it('is the usual one where the browser forbids storage', () => {
    const forbidden = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    keepDial('cricket-1', 'slow', forbidden);
    expect(keptDial('cricket-1', forbidden)).toBeNull();
  });
});
