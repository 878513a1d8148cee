import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { complete, EMPTY, firstGap, reduce, seqOf, type Action, type Store } from './store';
import { frames, snapshot } from '../../testing/episode';

const LENGTH = 60;
const ALL = frames(LENGTH);

const run = (actions: readonly Action[], from: Store = EMPTY): Store => actions.reduce(reduce, from);

/** The frames cut into runs, some of them doubled, in any order, with snapshots between. */
const arrivals = fc
  .tuple(
    fc.shuffledSubarray(ALL, { minLength: LENGTH }),
    fc.array(fc.constantFrom(...ALL), { maxLength: 30 }),
    fc.array(fc.nat(LENGTH - 1), { maxLength: 4 }),
    fc.integer({ min: 1, max: 9 }),
  )
  .map(([order, again, joins, size]) => {
    const actions: Action[] = [];
    const queue = [...order, ...again];
    while (queue.length) actions.push({ do: 'frames', frames: queue.splice(0, size) });
    for (const seq of joins) actions.splice(seq % actions.length, 0, { do: 'snapshot', snapshot: snapshot(ALL, seq) });
    return actions;
  });

describe('store', () => {
  it('is the same and whole whatever the order in which frames came', () => {
    const straight = run([{ do: 'frames', frames: ALL }]);
    fc.assert(
      fc.property(arrivals, (actions) => {
        const store = run(actions);
        expect(store.slots).toEqual(straight.slots);
        expect(store.head).toBe(LENGTH - 1);
        expect(complete(store)).toBe(true);
        expect(firstGap(store)).toBeNull();
      }),
    );
  });

  it('names exactly the numbers that are missing', () => {
    fc.assert(
      fc.property(fc.subarray(ALL), (some) => {
        let store = run([{ do: 'frames', frames: some }]);
        const missing: number[] = [];
        for (let gap = firstGap(store); gap; gap = firstGap(store)) {
          for (let seq = gap[0]; seq < gap[1]; seq++) missing.push(seq);
          store = reduce(store, { do: 'frames', frames: ALL.slice(...gap) });
        }
        const had = new Set(some.map(seqOf));
        const head = Math.max(-1, ...had);
        expect(missing).toEqual(Array.from({ length: head + 1 }, (_, seq) => seq).filter((seq) => !had.has(seq)));
      }),
    );
  });

  it('drops all that it had when the record is another one', () => {
    const store = run([{ do: 'frames', frames: ALL }, { do: 'resync' }]);
    expect(store).toMatchObject({ slots: [], head: -1, filled: 0, anchors: [], generation: 1 });
  });
});
