import { expect, it } from 'vitest';

import { purseWords } from './purse';

it('says what a match costs, what is left and when there is enough', () => {
  const purse = { balance: 43.7, credits: 60, refill: 1, match: 10, wait: 0 };
  expect(purseWords(purse)).toBe(
    'A match takes 10 of your credits at its start and gives back what it does not use. You have 43 of 60 credits.',
  );
  expect(purseWords({ ...purse, balance: -2.4, wait: 744 })).toBe(
    'A match takes 10 credits and you have 0 of 60 credits: enough in 13 minutes.',
  );
  expect(purseWords({ ...purse, balance: 9.99, wait: 0.6 })).toContain('enough in 1 second.');
});
