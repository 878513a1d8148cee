import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Moments } from './moments';
import { EMPTY, reduce, type Numbered, type Store } from './store';
import { board, frames, snapshot, summary, type Sum } from '../../testing/episode';
import type { Event } from '../../types.gen';

const LENGTH = 80;
const ALL = frames(LENGTH);
const take = (some: readonly Numbered[], store: Store = EMPTY): Store => reduce(store, { do: 'frames', frames: some });

describe('moments', () => {
  it('are the plain fold of the events at every number, in whatever order they are asked for', () => {
    const store = take(ALL);
    let state = board.begin(summary, null);
    const expected = ALL.map((frame) => (state = frame.frame === 'event' ? board.step(state, frame.event) : state));
    fc.assert(
      fc.property(fc.array(fc.nat(LENGTH - 1), { minLength: 1 }), (asked) => {
        const moments = new Moments(board, summary);
        for (const seq of asked) expect(moments.at(store, seq)?.board).toEqual(expected[seq]);
      }),
    );
  });

  it('shows a late joiner the moment at once and what follows it, and nothing that is not known', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: LENGTH - 10 }), (seq) => {
        const moments = new Moments(board, summary);
        const whole = new Moments(board, summary).at(take(ALL), seq)?.board as Sum;
        let store = reduce(EMPTY, { do: 'snapshot', snapshot: snapshot(ALL, seq) });
        expect(moments.at(store, seq)?.board.total).toBe(whole.total);
        expect(moments.at(store, 1)).toBeNull();
        store = take(ALL.slice(seq + 1, seq + 9), store);
        expect(moments.at(store, seq + 8)?.board.total).toBe(
          new Moments(board, summary).at(take(ALL), seq + 8)?.board.total,
        );
        store = take(ALL.slice(0, seq + 1), store);
        expect(moments.at(store, seq)?.board).toEqual(whole);
      }),
    );
  });

  it('finds the same landmarks however the past came in', () => {
    const straight = new Moments(board, summary);
    straight.foldAll(take(ALL));
    expect(straight.landmarks.ticks.length).toBeGreaterThan(10);
    expect(straight.landmarks.marks.length).toBeGreaterThan(3);
    fc.assert(
      fc.property(fc.array(fc.nat(LENGTH), { maxLength: 6 }), (cuts) => {
        const moments = new Moments(board, summary);
        let store = take(ALL.slice(40));
        const edges = [0, ...cuts.sort((a, b) => a - b), LENGTH];
        edges.forEach((edge, index) => {
          store = take(ALL.slice(edge, edges[index + 1]), store);
          moments.foldAll(store);
        });
        expect(moments.landmarks).toEqual(straight.landmarks);
      }),
    );
  });

  it('shares the board where nothing changed, so that nothing is drawn again', () => {
    const moments = new Moments(board, summary);
    const store = take(ALL);
    expect(moments.at(store, 10)?.board).toBe(moments.at(store, 9)?.board);
    expect(moments.at(store, 3)?.board).toBe(moments.at(store, 2)?.board);
  });

  it('forgets what it folded when another record takes the place of this one', () => {
    const moments = new Moments(board, summary);
    moments.foldAll(take(ALL));
    const other = reduce(take(ALL), { do: 'resync' });
    expect(moments.at(other, 5)).toBeNull();
    expect(moments.landmarks.ticks).toEqual([]);
  });

  it('keeps the last good board where one event cannot be taken, and says so', () => {
    const brittle = {
      ...board,
      step: (state: Sum, taken: Event) => {
        if (taken.seq === 8) throw new Error('eight');
        return board.step(state, taken);
      },
    };
    const moments = new Moments(brittle, summary);
    moments.foldAll(take(ALL));
    expect(moments.at(take(ALL), 8)?.board).toBe(moments.at(take(ALL), 7)?.board);
    expect(moments.landmarks.broken).toEqual([{ seq: 8, reason: 'Error: eight' }]);
  });
});
