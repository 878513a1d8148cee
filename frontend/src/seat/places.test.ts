import { describe, expect, it } from 'vitest';

import {
  drag,
  EMPTY_HAND,
  homeOf,
  kindsOf,
  pickedOf,
  placesOf,
  press,
  refusedWord,
  slipsOf,
  targetsOf,
  undo,
  type Plan,
} from './places';
import type { Chosen, Slot } from './slots';

const option = (word: string, target = '', kind = '') => ({ word, text: '', target, help: '', kind });
const at = (chosen: Chosen): Plan => ({ hand: EMPTY_HAND, chosen });

/** A slot without a default: a click on a cell is the move. */
const CELL: Slot = {
  kind: 'pick',
  name: 'cell',
  prompt: '',
  options: [option('left', 'a1'), option('right', 'a2'), option('both', 'a2'), option('pass')],
  default: null,
};
const CARDS: Slot = {
  kind: 'many',
  name: 'discard',
  prompt: '',
  options: [option('K', 'card1'), option('Q', 'card2')],
  least: 0,
  most: 1,
  default: [],
};

/** A slot without a default that moves pieces. */
const PIECES: Slot = {
  kind: 'pick',
  name: 'move',
  prompt: '',
  options: [
    option('Ra3', 'a1 a3'),
    option('Rb1', 'a1 b1'),
    option('c8=Q', 'c7 c8'),
    option('c8=N', 'c7 c8'),
    option('castle'),
  ],
  default: null,
};

describe('two places of one slot', () => {
  const start = at({});

  it('are clicked in turn, and another first place takes over', () => {
    expect(placesOf([PIECES], start)).toEqual(['a1', 'c7']);
    const first = press([PIECES], start, 'a1');
    expect(placesOf([PIECES], first)).toEqual(['a3', 'b1']);
    expect(press([PIECES], first, 'b1').chosen).toEqual({ move: 'Rb1' });
    expect(placesOf([PIECES], press([PIECES], first, 'c7'))).toEqual(['c8']);
    expect(press([PIECES], first, 'h8').hand).toEqual(EMPTY_HAND);
  });

  it('ask which of several options they mean', () => {
    const { hand } = press([PIECES], press([PIECES], start, 'c7'), 'c8');
    expect(hand.open?.meanings.map((meant) => meant.option?.word)).toEqual(['c8=Q', 'c8=N']);
  });

  it('may be joined by a drag', () => {
    expect(drag([PIECES], start, 'a1', 'a3').chosen).toEqual({ move: 'Ra3' });
  });
});

describe('a click on a place', () => {
  it('chooses its only option at once, where no slot has to be taken up', () => {
    expect(homeOf(CELL)).toBe('');
    expect(press([CELL], at({}), 'a1')).toEqual(at({ cell: 'left' }));
  });

  it('asks which of several options it means', () => {
    const { hand, chosen } = press([CELL], at({}), 'a2');
    expect(hand.open?.meanings.map((meant) => meant.option?.word)).toEqual(['right', 'both']);
    expect(chosen).toEqual({});
  });

  it('adds to a set and takes away again, up to its size', () => {
    const full = press([CARDS], at({ discard: [] }), 'card1');
    expect(full.chosen).toEqual({ discard: ['K'] });
    expect(placesOf([CARDS], full)).toEqual(['card1']);
    expect(press([CARDS], full, 'card1').chosen).toEqual({ discard: [] });
  });

  it('means nothing elsewhere', () => {
    expect(press([CELL, CARDS], at({ discard: [] }), 'z9')).toEqual(at({ discard: [] }));
  });
});

it('has words where it means one thing', () => {
  expect([...targetsOf([CELL, CARDS], at({}))]).toEqual([
    ['a1', 'left'],
    ['a2', ''],
    ['card1', 'K'],
    ['card2', 'Q'],
  ]);
});

it('lists what is chosen on the board, and takes it back', () => {
  const slots = [CELL, CARDS];
  const chosen = { cell: 'left', discard: ['Q'] };
  expect(pickedOf(slots, chosen)).toEqual(['a1', 'card2']);
  expect(slipsOf(slots, chosen).map(({ text, open }) => [text, open])).toEqual([
    ['left', false],
    ['card1', true],
    ['Q', false],
  ]);
  const slip = slipsOf(slots, chosen)[2];
  expect(slip && undo(slots, chosen, slip)).toEqual({ cell: 'left', discard: [] });
  expect(kindsOf(slots)).toEqual([]);
});

it('finds the word that a refusal is about', () => {
  const action = { orders: ['A MAR H', 'A PAR - BUR'], vote: 'none' };
  expect(refusedWord(action, 'orders[1]')).toBe('A PAR - BUR');
  for (const field of ['orders[2]', 'orders', 'vote[0]', null]) expect(refusedWord(action, field)).toBe('');
});
