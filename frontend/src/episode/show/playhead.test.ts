import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { begin, move, narrated, pictured, scored, type Move, type Playhead } from './playhead';

const HEAD = 40;
const number = fc.nat(HEAD + 10);
const phase = fc.constantFrom('picture' as const, 'score' as const, 'told' as const);
const moves: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant('look' as const), seq: number }),
  fc.constant({ do: 'follow' } as const),
  fc.tuple(number, number, fc.constantFrom(0, 1, 2), phase).map(([a, b, rate, at]) => ({
    do: 'take' as const,
    step: { from: Math.min(a, b), seq: Math.max(a, b), rate, phase: at },
  })),
  fc.record({ do: fc.constant('tell' as const), phase: fc.constantFrom('score' as const, 'told' as const) }),
  fc.record({ do: fc.constant('range' as const), state: fc.constantFrom('playing' as const, 'over' as const) }),
  fc.constant({ do: 'leave range' } as const),
);
const start = fc.tuple(fc.option(number), fc.option(number)).map(([seq, last]) => begin(seq, last));

const numbers = (playhead: Playhead, head: number): number[] => [
  narrated(playhead, head),
  scored(playhead, head),
  pictured(playhead, head),
];

describe('the playhead', () => {
  it('never tells a score before its picture, nor words before the score, whatever happens', () => {
    fc.assert(
      fc.property(start, fc.array(fc.tuple(moves, fc.integer({ min: -1, max: HEAD }))), (playhead, acts) => {
        let now = playhead;
        for (const [act, head] of acts) {
          now = move(now, act);
          const [words = 0, score = 0, picture = 0] = numbers(now, head);
          expect(words).toBeLessThanOrEqual(score);
          expect(score).toBeLessThanOrEqual(picture);
          expect(picture).toBeLessThanOrEqual(head);
        }
      }),
    );
  });

  it('tells a step in its order, and never takes back what has been told of it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('score' as const, 'told' as const)), (phases) => {
        let now = move(begin(3, null), { do: 'take', step: { from: 3, seq: 5, rate: 1, phase: 'picture' } });
        expect(numbers(now, HEAD)).toEqual([3, 3, 5]);
        for (const next of phases) {
          const before = numbers(now, HEAD);
          now = move(now, { do: 'tell', phase: next });
          numbers(now, HEAD).forEach((value, n) => expect(value).toBeGreaterThanOrEqual(before[n] ?? 0));
        }
        const last = phases.includes('told') ? [5, 5, 5] : phases.length ? [3, 5, 5] : [3, 3, 5];
        expect(numbers(now, HEAD)).toEqual(last);
      }),
    );
  });

  it('keeps to a number that the viewer chose, which is the head until it has happened', () => {
    const early = move(begin(null, null), { do: 'look', seq: 30 });
    expect(numbers(early, 9)).toEqual([9, 9, 9]);
    expect(numbers(early, HEAD)).toEqual([30, 30, 30]);
  });

  it('has a range only until the viewer goes elsewhere', () => {
    const waiting = begin(3, 9);
    expect(waiting.mode).toEqual({ name: 'range', last: 9, state: 'waiting' });
    const over = move(waiting, { do: 'range', state: 'over' });
    expect(over.mode).toMatchObject({ state: 'over' });
    for (const act of [{ do: 'look', seq: 4 }, { do: 'follow' }, { do: 'leave range' }] as const)
      expect(move(over, act).mode.name).not.toBe('range');
    expect(begin(3, 3).mode.name).toBe('range');
    expect(begin(3, 2).mode.name).toBe('at');
  });
});
