import { describe, expect, it } from 'vitest';

import { board, frames, snapshot, type Sum } from '../../testing/episode';
import type { Board } from '../../boards/board';
import { clipOf } from './clip';

const ALL = frames(40);
const BOARD = board as unknown as Board;

const totals = (first: number, last: number): number[] =>
  clipOf(BOARD, snapshot(ALL, first), ALL.slice(first + 1, last + 1)).shots.map((shot) => (shot as Sum).total);

describe('a clip', () => {
  it('begins before what happened and ends with it', () => {
    const whole = totals(0, 39);
    const part = totals(15, 18);
    expect(part[0]).toBe(totals(15, 15)[0]);
    expect(part.at(-1)).toBe(totals(18, 18)[0]);
    expect(part.length).toBeGreaterThan(1);
    expect(whole.at(-1)).toBe(totals(39, 39)[0]);
  });

  it('is short however many events it has', () => {
    expect(totals(0, 39)).toHaveLength(5);
  });

  it('is the position alone where nothing follows', () => {
    expect(totals(15, 15)).toHaveLength(1);
  });
});
