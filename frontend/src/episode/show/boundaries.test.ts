import { describe, expect, it } from 'vitest';

import { cause, causeTitle } from './boundaries';

describe('the cause of a fault', () => {
  it('is given in words, within a sentence or at its beginning', () => {
    expect(cause('timeout')).toBe('it ran out of time');
    expect(causeTitle('timeout')).toBe('It ran out of time');
  });

  it('is null for a boundary that this page does not know', () => {
    for (const boundary of ['', 'weather', 'toString']) {
      expect(cause(boundary)).toBeNull();
      expect(causeTitle(boundary)).toBeNull();
    }
  });
});
