import { describe, expect, it } from 'vitest';

import { cardPath, clipPath, embedCode, embedPath, rangesTo } from './share';

describe('paths', () => {
  it('name the moment and the range', () => {
    expect(cardPath('a b', 7)).toBe('/api/episodes/a%20b/card?seq=7');
    expect(clipPath('a', { first: 3, last: 9 })).toBe('/api/episodes/a/clip?first=3&last=9');
    expect(embedPath('a', null)).toBe('/embed/a');
    expect(embedPath('a', { first: 3, last: 9 })).toBe('/embed/a?first=3&last=9');
  });
});

describe('embedCode', () => {
  it('is one element, whatever the title holds', () => {
    const code = embedCode('https://example.org/embed/a?first=1&last=2', '"><script>alert(1)</script>');
    expect(code).toContain('src="https://example.org/embed/a?first=1&amp;last=2"');
    expect(code).not.toContain('<script');
    expect(code.match(/</g)).toHaveLength(2);
  });
});

describe('rangesTo', () => {
  const starts = [2, 10, 20, 30, 40];

  it('counts the turns that were played before the moment', () => {
    expect(rangesTo(45, starts)).toEqual([
      { label: 'The last turn', first: 40, last: 45 },
      { label: 'The last 3 turns', first: 20, last: 45 },
      { label: 'From the start', first: 2, last: 45 },
    ]);
    expect(rangesTo(40, starts)[0]).toEqual({ label: 'The last turn', first: 30, last: 40 });
  });

  it('is empty before the first turn', () => {
    expect(rangesTo(2, starts)).toEqual([]);
    expect(rangesTo(3, starts)).toEqual([{ label: 'From the start', first: 2, last: 3 }]);
  });
});
