import { describe, expect, it } from 'vitest';

import { board, frames, summary, type Sum } from '../../testing/episode';
import type { Event, Excerpt } from '../../types.gen';
import { shotsOf, stateOf } from './clip';

const ALL = frames(40).flatMap((frame) => (frame.frame === 'event' ? [frame.event] : []));
const upTo = (last: number): Event[] => ALL.filter(({ seq }) => seq <= last);

/** The excerpt that ends with the event `last`. */
const excerpt = (last: number): Excerpt => ({ episode: summary, state: null, events: upTo(last) });

const totals = (first: number, last: number): number[] =>
  shotsOf(board, excerpt(last), first).map((shot: Sum) => shot.total);

describe('a clip', () => {
  it('begins before what happened and ends with it', () => {
    const part = totals(15, 18);
    expect(part[0]).toBe(stateOf(board, excerpt(15)).total);
    expect(part.at(-1)).toBe(stateOf(board, excerpt(18)).total);
    expect(part.length).toBeGreaterThan(1);
  });

  it('is short however many events it has', () => {
    expect(totals(0, 39)).toHaveLength(5);
  });

  it('is the position alone where nothing follows', () => {
    expect(totals(15, 15)).toHaveLength(1);
  });
});
