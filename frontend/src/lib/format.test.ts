import { describe, expect, it } from 'vitest';

import { cost, count, deeds, spent } from './format';

describe('words', () => {
  it('counts and costs in few figures', () => {
    expect([0, 950, 1000, 1949, 999_949, 999_950, 2_400_000].map(count)).toEqual([
      '0',
      '950',
      '1.0k',
      '1.9k',
      '999.9k',
      '1.0M',
      '2.4M',
    ]);
    expect([null, 0, 0.00123, 0.04, 12].map(cost)).toEqual(['–', '$0.00', '$0.0012', '$0.04', '$12.00']);
  });

  it('tells what answers took, and that tokens are an estimate', () => {
    const usage = {
      seconds: 3,
      calls: 1,
      retries: 0,
      tokens_in: 1500,
      tokens_out: 400,
      tokens_cached: 0,
      tokens_cache_written: 0,
      tokens_reasoning: 0,
      dollars: null,
      estimated: true,
    };
    expect(spent(usage)).toBe('1 call · ≈1.9k tokens');
    expect(spent({ ...usage, calls: 0 })).toBe('');
  });

  it('tells any action, whatever its game, with nothing in it unseen', () => {
    expect(deeds({ orders: ['A PAR - BUR', 'F BRE H'] })).toEqual(['A PAR - BUR', 'F BRE H']);
    expect(deeds({ orders: [] })).toEqual(['no orders']);
    expect(deeds({ tool: 'bowl', arguments: { length: 'full', take: true } })).toEqual([
      'bowl: length full, take true',
    ]);
    expect(deeds({ tool: 'wait', arguments: {} })).toEqual(['wait']);
    expect(deeds({ vote: 'draw' })).toEqual(['vote: draw']);
    expect(deeds({ x: 'a\u202eb' })).toEqual(['x: a‹202E›b']);
    expect(deeds({ x: 'y'.repeat(5000) })[0]?.length).toBeLessThan(200);
  });
});
