import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Landmarks } from '../episode/record/moments';
import { counterpart } from './counterpart';

/** Turns of these names, `steps` told in each, `width` numbers from turn to turn, the first at `first`. */
function marks(names: readonly string[], width: number, steps: number, first = 3): Landmarks {
  const ticks = names.map((turn, n) => ({ turn, seq: first + n * width }));
  return {
    ticks,
    steps: ticks.flatMap(({ seq }) => Array.from({ length: steps + 1 }, (_, n) => seq + n)),
    marks: [],
    broken: [],
  };
}

describe('linked scrubbing', () => {
  const here = marks(['S1901M', 'F1901M', 'W1901A', 'S1902M'], 10, 4);
  const there = marks(['S1901M', 'F1901M', 'S1902M'], 7, 4, 5);

  it('goes to the turn of the same name, as far into it', () => {
    expect(counterpart(here, there, 33)).toBe(19);
    expect(counterpart(here, there, 35)).toBe(21);
    expect(counterpart(there, here, 19)).toBe(33);
  });

  it('stays within the turn where that has fewer steps', () => {
    expect(counterpart(here, marks(['S1901M', 'F1901M'], 3, 1), 7)).toBe(4);
  });

  it('takes the turn that comes as late where none has the name, and the last where that is past', () => {
    expect(counterpart(here, there, 23)).toBe(19);
    expect(counterpart(marks(['a', 'b', 'c', 'd', 'e'], 5, 1), there, 23)).toBe(19);
    expect(counterpart(here, { ticks: [], steps: [], marks: [], broken: [] }, 23)).toBe(-1);
  });

  it('tells turns of one name apart by which of them it is', () => {
    const balls = marks(['4.3', '4.3', '4.4'], 5, 1);
    expect(counterpart(balls, marks(['4.2', '4.3', '4.3', '4.4'], 6, 1), 8)).toBe(15);
  });

  it('is at home in a match of its own kind: there and back again is where it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 4 }), (turn, into) => {
        const seq = 3 + turn * 10 + into;
        const copy = marks(['S1901M', 'F1901M', 'W1901A', 'S1902M'], 17, 4, 6);
        expect(counterpart(copy, here, counterpart(here, copy, seq))).toBe(seq);
      }),
    );
  });
});
