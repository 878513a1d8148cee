import { expect, test } from 'vitest';

import { headlineOf } from './headline';

const NAMES = { words: (text: string) => (text === 'A wins.' ? 'Austria wins.' : '') };

test('the headline is the prospects, then the result as the story has it, else the result in words', () => {
  const ahead = { headline: 'Austria is ahead.', excitement: 0.2 };
  const over = { headline: 'Austria wins by a hair.', excitement: 0 };
  expect(headlineOf(ahead, null, NAMES)).toBe('Austria is ahead.');
  expect(headlineOf(over, { text: 'A wins.' }, NAMES)).toBe('Austria wins by a hair.');
  expect(headlineOf(ahead, { text: 'A wins.' }, NAMES)).toBe('Austria wins.');
  expect(headlineOf(null, { text: 'Nobody.' }, NAMES)).toBe('Nobody.');
  expect(headlineOf(null, null, NAMES)).toBe('');
});
