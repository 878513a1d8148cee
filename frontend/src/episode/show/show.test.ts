import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { board as sum, frames, snapshot, summary } from '../../testing/episode';
import { EpisodeRecord } from '../record/record';
import { viewOf, type View } from '../view';
import { Show } from './show.svelte';

const LENGTH = 60;
const ALL = frames(LENGTH);
/** A page on which a match is shown: everything is painted at once. A step takes `picture` milliseconds to unfold. */
function page(behind: number, begins: [number | null, number | null] = [null, null], picture = 900) {
  const record = new EpisodeRecord();
  const board = { ...sum, unfold: () => ({ picture, score: 300 }) };
  record.use(board as unknown as Parameters<EpisodeRecord['use']>[0], summary);
  const views: View[] = [];
  const paint = (): void => {
    if (!record.fold()) return;
    show.arrive(joined);
    views.push(viewOf(record, show.playhead, behind > 0));
  };
  const show: Show = new Show(record, behind, null, begins, () => {
    if (record.fold()) views.push(viewOf(record, show.playhead, behind > 0));
  });
  let arrived = 0;
  let joined = true;
  /** The moment that was asked for arrives before the stream has joined, and the events before it. */
  const look = (seq: number): void => {
    joined = false;
    record.take({ do: 'snapshot', snapshot: snapshot(ALL, seq) });
    arrive(seq + 1);
    joined = true;
  };
  const arrive = (count: number): void => {
    record.take({ do: 'frames', frames: ALL.slice(arrived, (arrived += count)) });
    paint();
  };
  return { show, record, views, arrive, look };
}

const numbers = ({ narrated, scored, seq }: View): (number | undefined)[] => [narrated?.seq, scored?.seq, seq];

type Act = readonly ['arrive' | 'wait' | 'look', number] | readonly ['next' | 'back' | 'follow' | 'resume' | 'skip'];
const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(fc.constant('arrive' as const), fc.integer({ min: 1, max: 9 })),
  fc.tuple(fc.constant('wait' as const), fc.integer({ min: 1, max: 4000 })),
  fc.tuple(fc.constant('look' as const), fc.nat(LENGTH)),
  fc.constantFrom(['next'] as const, ['back'] as const, ['follow'] as const, ['resume'] as const, ['skip'] as const),
);

describe('the show', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.setSystemTime(1_000_000);
    vi.stubGlobal('window', globalThis);
    vi.stubGlobal('document', { hidden: false });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('never tells a score before its picture, nor words before the score, whatever the viewer does and when', () => {
    fc.assert(
      fc.property(fc.array(acts, { minLength: 5, maxLength: 60 }), fc.constantFrom(0, 30_000), (all, behind) => {
        const { show, views, arrive } = page(behind);
        arrive(5);
        for (const [act, amount] of all) {
          if (act === 'arrive') arrive(amount);
          else if (act === 'wait') vi.advanceTimersByTime(amount);
          else if (act === 'look') show.look(amount);
          else show[act]();
        }
        vi.runAllTimers();
        for (const view of views) {
          const [words = 0, score = 0, picture = 0] = numbers(view);
          expect(words).toBeLessThanOrEqual(score);
          expect(score).toBeLessThanOrEqual(picture);
        }
        show.director.cut();
      }),
    );
  });

  it('shows the picture of a live step, then its score, then its words', () => {
    const { show, views, arrive } = page(30_000);
    arrive(5);
    expect(numbers(views.at(-1) as View)).toEqual([4, 4, 4]);
    arrive(3);
    const from = views.length;
    expect(numbers(views.at(-1) as View)).toEqual([4, 4, 5]);
    vi.advanceTimersByTime(899);
    expect(views.length).toBe(from);
    vi.advanceTimersByTime(1);
    expect(numbers(views.at(-1) as View)).toEqual([4, 5, 5]);
    expect((views.at(-1) as View).previous).toEqual({ total: 7, added: [1, 2, 4] });
    vi.advanceTimersByTime(300);
    expect(numbers(views.at(-1) as View)).toEqual([5, 5, 5]);
    show.skip();
    expect(numbers(views.at(-1) as View)).toEqual([7, 7, 7]);
  });

  it('takes what has no picture with the step before it, as soon as that is told', () => {
    const { show, views, arrive } = page(30_000);
    arrive(9);
    arrive(1);
    expect(numbers(views.at(-1) as View)).toEqual([8, 8, 9]);
    arrive(1);
    vi.advanceTimersByTime(1199);
    expect(numbers(views.at(-1) as View)).toEqual([8, 9, 9]);
    vi.advanceTimersByTime(1);
    expect(numbers(views.at(-1) as View)).toEqual([10, 10, 10]);
    show.director.cut();
  });

  it('shows no live step later than the page may be behind, whatever the step before takes', () => {
    const { show, record, arrive } = page(2500, [null, null], 9000);
    for (let at = 0; at < 40_000; at += 100) {
      if (at % 1000 === 0) arrive(1);
      const next = record.landmarks.steps.find((seq) => seq > show.seq);
      if (next !== undefined) expect(at - 1000 * next).toBeLessThanOrEqual(2500);
      vi.advanceTimersByTime(100);
    }
    show.director.cut();
  });

  it('waits for the events of a range until the head is known', () => {
    const { views, arrive, look } = page(30_000, [4, 12]);
    look(4);
    vi.runAllTimers();
    expect((views.at(-1) as View).range?.state).toBe('waiting');
    arrive(20);
    vi.runAllTimers();
    expect(views.at(-1)).toMatchObject({ range: { state: 'over' }, seq: 12 });
  });

  it.each([
    ['step', (show: Show) => show.next()],
    ['turn', (show: Show) => show.turn(1)],
  ] as const)('goes on by a %s that was asked for before it arrived', (_, go) => {
    const [early, late] = [page(30_000, [4, null]), page(30_000, [4, null])];
    late.look(4);
    late.arrive(LENGTH - 5);
    go(late.show);
    early.look(4);
    go(early.show);
    expect(early.views.at(-1)).toMatchObject({ following: false, seq: 4 });
    early.arrive(LENGTH - 5);
    expect(numbers(early.views.at(-1) as View)).toEqual(numbers(late.views.at(-1) as View));
    expect(early.views.at(-1)).toMatchObject({ following: false });
    early.show.director.cut();
    late.show.director.cut();
  });

  it.each([
    ['of one number', [12, 12]],
    ['that goes on after the end', [12, 90]],
  ] as const)('ends a range %s', (_, [first, last]) => {
    const { views, arrive } = page(30_000, [first, last]);
    arrive(LENGTH);
    vi.runAllTimers();
    expect((views.at(-1) as View).range?.state).toBe('over');
  });

  it('stops at the end of a range, and goes on from there', () => {
    const { show, views, arrive } = page(30_000, [4, 12]);
    arrive(20);
    expect((views.at(-1) as View).range?.state).toBe('playing');
    vi.runAllTimers();
    expect((views.at(-1) as View).range?.state).toBe('over');
    expect((views.at(-1) as View).seq).toBeLessThanOrEqual(12);
    show.watchOn();
    vi.runAllTimers();
    expect(views.at(-1)).toMatchObject({ range: null, following: true, seq: 19 });
  });
});
