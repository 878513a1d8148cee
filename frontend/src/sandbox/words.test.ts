import { expect, it } from 'vitest';

import { moveWords } from './words';

it('says a move by its words and numbers', () => {
  const words = (action: Record<string, unknown> | null): string => moveWords({ seat: 'a', action });
  expect(words({ move: 'e2e4' })).toBe('e2e4');
  expect(words({ orders: ['A PAR - BUR', 'F BRE H'], vote: 'none' })).toBe('A PAR - BUR, F BRE H, none');
  expect(words({ tool: 'bowl_delivery', arguments: { line: 'off', over: 3 } })).toBe('bowl delivery, off, 3');
  expect(words({ speech: 'a\u202Eb' })).toBe('a‹202E›b');
  expect(words({ orders: [] })).toBe('nothing');
  expect(words(null)).toBe('nothing');
  expect(words({ text: 'x'.repeat(999) }).length).toBeLessThan(170);
});
