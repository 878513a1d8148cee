import fc from 'fast-check';
import { expect, test } from 'vitest';

import { countNumbersUpTo, countUpTo } from './search';

const ascending = fc.array(fc.integer({ min: -50, max: 50 })).map((numbers) => numbers.sort((a, b) => a - b));

test('counts what is at most the limit', () => {
  fc.assert(
    fc.property(ascending, fc.integer({ min: -60, max: 60 }), (numbers, limit) => {
      const count = numbers.filter((number) => number <= limit).length;
      expect(countNumbersUpTo(numbers, limit)).toBe(count);
      expect(
        countUpTo(
          numbers.map((step) => ({ step })),
          limit,
          ({ step }) => step,
        ),
      ).toBe(count);
    }),
  );
});
