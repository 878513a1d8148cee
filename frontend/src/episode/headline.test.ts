import { expect, test } from 'vitest';

import { headlineOf } from './headline';

const NAMES = { words: (text: string) => (text === 'A wins.' ? 'Austria wins.' : '') };

test('the headline is what the story says, else the result in words, else the result', () => {
  expect(headlineOf({ headline: 'Austria wins by a hair.' }, { text: 'A wins.' }, NAMES)).toBe(
    'Austria wins by a hair.',
  );
  expect(headlineOf({ headline: '' }, { text: 'A wins.' }, NAMES)).toBe('Austria wins.');
  expect(headlineOf(null, { text: 'Nobody.' }, NAMES)).toBe('Nobody.');
  expect(headlineOf(null, null, NAMES)).toBe('');
});
