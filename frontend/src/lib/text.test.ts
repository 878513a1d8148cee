import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { capital, plain } from './text';

describe('capital', () => {
  it('changes the first letter only', () => {
    expect(capital('an error in Grandstand')).toBe('An error in Grandstand');
    expect(capital('')).toBe('');
  });
});

describe('plain', () => {
  it('leaves ordinary text in any script alone', () => {
    for (const text of ['Paris – Burgundy', 'Đ ä é ß', 'Привет', '日本語', 'مرحبا', '👍🏽 ok', 'two\nlines']) {
      expect(plain(text, 100)).toBe(text);
    }
  });

  it('makes visible what would hide or reorder text', () => {
    expect(plain('a\u202eb', 100)).toBe('a‹202E›b');
    expect(plain('a\u200bb', 100)).toBe('a‹200B›b');
    expect(plain('a\u0000b\u001b[31m', 100)).toBe('a‹0000›b‹001B›[31m');
    expect(plain('a\u{e0041}b', 100)).toBe('a‹E0041›b');
    expect(plain('a\tb', 100)).toBe('a b');
  });

  it('cuts at the limit, between characters, and says that it did', () => {
    expect(plain('abcdef', 3)).toBe('abc…');
    expect(plain('😀😀😀😀', 2)).toBe('😀😀…');
    expect(plain('x'.repeat(10_000_000), 5)).toBe('xxxxx…');
  });

  it('breaks up towers of combining marks', () => {
    expect(plain(`z${'\u0301'.repeat(50)}`, 100).length).toBeLessThan(6);
  });

  it('never lets a control or bidirectional character through, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.integer({ min: 1, max: 60 }), (text, limit) => {
        expect(plain(text, limit)).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });
});
