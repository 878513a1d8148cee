import { describe, expect, it } from 'vitest';

import { readText } from '../story/notation';
import { bookOf, legalOf, VIEW_NAMES } from '../testing/views';
import { actionOf, chosenOf, left, missing, refusalOf, stranded, withHolds, without } from './book';

describe('what may be ordered', () => {
  it.each(VIEW_NAMES)('is every legal order, word for word: %s', (name) => {
    const texts = [...bookOf(name).orderable.values()].flatMap(({ orders }) => orders.map(({ text }) => text));
    expect(texts).toEqual(Object.values(legalOf(name).orders).flat());
  });

  it('tells the stages of a year apart, and how many orders each takes', () => {
    expect(VIEW_NAMES.map((name) => [bookOf(name).stage, bookOf(name).count])).toEqual([
      ['moves', 3],
      ['moves', 4],
      ['moves', 3],
      ['retreats', 2],
      ['builds', 2],
      ['removals', 2],
    ]);
  });

  it('is a unit, or in winter a place', () => {
    expect(bookOf('retreats').orderable.get('MAO')?.unit).toEqual({ kind: 'F', at: 'MAO' });
    expect(bookOf('builds').orderable.get('STP')?.unit).toBeNull();
    expect(bookOf('removals').orderable.get('TUS')?.unit).toEqual({ kind: 'A', at: 'TUS' });
  });
});

it('reads every part of an order', () => {
  const plain = { power: 'X', results: [], beatenFrom: null, to: null, helps: null, bySea: false };
  const [fleet, army] = [{ kind: 'F', at: 'STP/SC' } as const, { kind: 'A', at: 'LON' } as const];
  expect(readText('X', 'F STP/SC - BOT')).toEqual({
    ...plain,
    text: 'F STP/SC - BOT',
    kind: 'move',
    unit: fleet,
    to: 'BOT',
  });
  expect(readText('X', 'A LON - BEL VIA')).toEqual({
    ...plain,
    text: 'A LON - BEL VIA',
    kind: 'move',
    unit: army,
    to: 'BEL',
    bySea: true,
  });
  expect(readText('X', 'A LON S F STP/SC')).toMatchObject({ kind: 'support', helps: fleet, to: null });
  expect(readText('X', 'A LON S F STP/SC - FIN')).toMatchObject({ kind: 'support', helps: fleet, to: 'FIN' });
  expect(readText('X', 'F STP/SC C A LON - FIN')).toMatchObject({ kind: 'convoy', helps: army, to: 'FIN' });
  expect(readText('X', 'F STP/SC R BOT')).toMatchObject({ kind: 'retreat', to: 'BOT' });
  expect(() => readText('X', 'WAIVE')).toThrow('not an order');
});

describe('what is chosen', () => {
  const book = bookOf('opening');
  const draft = { orders: ['A MAR S A PAR - BUR', 'A PAR - BUR'] };

  it('is read from a draft and sent as one, in the same words', () => {
    expect(actionOf(book, chosenOf(book, draft))).toEqual(draft);
    expect(left(book, chosenOf(book, draft))).toBe(1);
    expect(actionOf(book, chosenOf(book, null))).toEqual({ orders: [] });
  });

  it('leaves out what is no legal order here: of another turn, of another unit, of another shape', () => {
    for (const orders of [['A MUN H', 'A PAR - MOS'], 'A PAR H', [1, null]]) {
      expect(chosenOf(book, { orders }).size).toBe(0);
    }
  });

  it('is undone one by one, and filled up with holds', () => {
    const chosen = chosenOf(book, draft);
    expect(actionOf(book, withHolds(book, without(chosen, 'PAR')))).toEqual({
      orders: ['F BRE H', 'A MAR S A PAR - BUR', 'A PAR H'],
    });
  });

  it('finds the order that a refusal names', () => {
    expect(refusalOf(draft, 'orders[1]', "orders[1]: 'A PAR - BUR': no")).toEqual({
      order: 'A PAR - BUR',
      reason: "'A PAR - BUR': no",
    });
    for (const field of ['orders[2]', 'orders', null]) {
      expect(refusalOf(draft, field, 'too late')).toEqual({ order: null, reason: 'too late' });
    }
  });
});

describe('a move by sea', () => {
  const book = bookOf('coasts');
  const alone = (...orders: string[]) =>
    stranded(book, chosenOf(book, { orders })).map(({ move, convoys }) => [move.text, convoys.map(({ text }) => text)]);

  it('needs a fleet, which is proposed until it is ordered to convoy', () => {
    expect(alone('A GAS - NAF VIA')).toEqual([['A GAS - NAF VIA', ['F MAO C A GAS - NAF']]]);
    expect(alone('A GAS - NAF VIA', 'F MAO C A GAS - POR')).toHaveLength(1);
    expect(alone('A GAS - NAF VIA', 'F MAO C A GAS - NAF')).toEqual([]);
  });

  it('is no move by land', () => {
    expect(alone('A GAS - SPA')).toEqual([]);
  });
});

it('cannot be submitted while a removal is missing or a build is not waived', () => {
  for (const [name, count] of [
    ['builds', 2],
    ['removals', 2],
    ['retreats', 0],
    ['opening', 0],
  ] as const) {
    const book = bookOf(name);
    expect(missing(book, chosenOf(book, null))).toBe(count);
  }
});
