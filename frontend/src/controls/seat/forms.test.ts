import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Action } from '../../boards/board';
import { argue, choose, chosen, formOf, miscounted, type Choices } from './forms';

const legal: Choices = {
  orders: { 'A PAR': ['A PAR H', 'A PAR - BUR'], 'F BRE': ['F BRE H', 'F BRE - MAO', 'F BRE S A PAR'] },
};

const NONE: Action = { orders: [] };

describe("a seat's form", () => {
  it('is told by the shape of what is legal', () => {
    expect(formOf({ phase: 'S1901M', ...legal }).kind).toBe('choices');
    expect(formOf({ must: 'toss', tools: [{ name: 'toss' }] }).kind).toBe('tools');
    for (const other of [null, [], {}, 'x', { orders: ['A PAR H'] }, { orders: { a: 'b' } }, { tools: [] }])
      expect(formOf(other).kind).toBe('raw');
  });

  it('chooses one text for each key, and takes it back', () => {
    let draft = choose(legal, null, 'F BRE', 'F BRE - MAO');
    draft = choose(legal, draft, 'A PAR', 'A PAR - BUR');
    expect(draft).toEqual({ orders: ['A PAR - BUR', 'F BRE - MAO'] });
    draft = choose(legal, draft, 'F BRE', '');
    expect(draft).toEqual({ orders: ['A PAR - BUR'] });
    expect(chosen(legal, { orders: ['F BRE H', 'F LON H', 7] })).toEqual({ 'F BRE': 'F BRE H' });
  });

  it('shows exactly what it would send, whatever is chosen in whatever order', () => {
    const keys = Object.keys(legal.orders);
    const pick = fc
      .constantFrom(...keys)
      .chain((key) => fc.tuple(fc.constant(key), fc.constantFrom('', ...(legal.orders[key] ?? []))));
    fc.assert(
      fc.property(fc.array(pick, { minLength: 1 }), (picks) => {
        const draft = picks.reduce((made, [key, text]) => choose(legal, made, key, text), NONE);
        const last = Object.fromEntries(picks.filter(([key], n) => picks.findLastIndex(([k]) => k === key) === n));
        expect(chosen(legal, draft)).toEqual(Object.fromEntries(Object.entries(last).filter(([, text]) => text)));
      }),
    );
  });

  it('counts builds and removals', () => {
    expect(miscounted({ ...legal, count: 1 }, 2)).toContain('there may be 1');
    expect(miscounted({ ...legal, count: 1 }, 0)).toBe('');
    expect(miscounted({ ...legal, count: -2 }, 1)).toContain('1 more');
    expect(miscounted(legal, 9)).toBe('');
  });

  it('fills in the arguments of one tool at a time', () => {
    let draft = argue(null, 'bowl', 'length', 'full');
    draft = argue(draft, 'bowl', 'line', 'off');
    expect(draft).toEqual({ tool: 'bowl', arguments: { length: 'full', line: 'off' } });
    expect(argue(draft, 'bowl', 'length', '')).toEqual({ tool: 'bowl', arguments: { line: 'off' } });
    expect(argue(draft, 'review', 'take', false)).toEqual({ tool: 'review', arguments: { take: false } });
  });
});
