import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BEHIND, DIALS, haste, importanceOf, LIVE, timing, whole, type Dial, type StepFacts } from './pace';
import type { Mark } from '../record/moments';

const dial = (id: Dial['id']): Dial => DIALS.find((candidate) => candidate.id === id) ?? LIVE;
const facts = fc.record({
  unfolding: fc.record({ picture: fc.nat(12_000), score: fc.nat(800) }),
  importance: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat(400),
});
const BALL: StepFacts = { unfolding: { picture: 2000, score: 700 }, importance: 0.1, length: 60 };

describe('the pace of a step', () => {
  it('shows the picture first, then the score, then the words, and rests longer for what matters more', () => {
    const quiet = timing(BALL, LIVE);
    const loud = timing({ ...BALL, importance: 0.9 }, LIVE);
    expect(quiet).toMatchObject({ picture: 2000, score: 700, rate: 1 });
    expect(loud.rest).toBeGreaterThan(2 * quiet.rest);
  });

  it('is twice as long at the slow dial, and has no picture at full speed', () => {
    expect(whole(timing(BALL, dial('slow')))).toBeCloseTo(2 * whole(timing(BALL, LIVE)));
    expect(timing(BALL, dial('full'))).toMatchObject({ picture: 0, score: 0, rate: 0 });
  });

  it('rests while the letters of a round are read, for a while at most', () => {
    const round = (letters: number): number => timing({ ...BALL, letters }, LIVE).rest;
    expect(round(0)).toBe(timing(BALL, LIVE).rest);
    expect(round(200)).toBe(3200);
    expect(round(5000)).toBe(4000);
  });

  it('shortens all parts alike in haste, and leaves out an animation that nobody could follow', () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0.001, max: 1, noNaN: true }), (step, share) => {
        const usual = whole(timing(step, LIVE));
        const hasty = timing(step, LIVE, share);
        expect(whole(hasty)).toBeLessThanOrEqual(Math.max(16, usual * share) + 1e-6);
        if (hasty.rate === 0) expect(hasty.picture).toBe(0);
        else expect(hasty.rate).toBeCloseTo(1 / share);
      }),
    );
  });

  it('gives a lone retreat about a second and a great phase of moves 12 to 20', () => {
    const retreat = whole(timing({ unfolding: { picture: 800, score: 0 }, importance: 0.05, length: 50 }, LIVE));
    expect(retreat).toBeGreaterThan(800);
    expect(retreat).toBeLessThan(1500);
    const phase = whole(timing({ unfolding: { picture: 10_300, score: 0 }, importance: 0.8, length: 200 }, LIVE));
    expect(phase).toBeGreaterThan(12_000);
    expect(phase).toBeLessThan(20_000);
  });
});

describe('a live viewer', () => {
  it('is never further behind than the limit, whatever comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4000), facts), { minLength: 1, maxLength: 120 }), (arrivals) => {
        let clock = 0;
        const events = arrivals.map(([gap, step]) => ({ at: (clock += gap), step }));
        let now = 0;
        let shown = 0;
        while (shown < events.length) {
          now = Math.max(now, events[shown]?.at ?? 0);
          const waiting = events.slice(shown).filter(({ at }) => at <= now);
          const queue = waiting.map(({ at, step }) => ({ usual: whole(timing(step, LIVE)), age: now - at }));
          const share = haste(queue);
          const [next] = waiting;
          if (!next) break;
          // An event is shown when its step begins.
          expect(now - next.at).toBeLessThanOrEqual(BEHIND + 16 * events.length);
          now += whole(timing(next.step, LIVE, share));
          shown++;
        }
      }),
    );
  });

  it('is hurried a little for being late, and never so that a picture is left out', () => {
    const step = { usual: 3000, age: 0 };
    expect(haste([step], BEHIND, 2000)).toBe(0.75);
    expect(timing(BALL, LIVE, haste([step], BEHIND, 20_000)).picture).toBeGreaterThan(0);
  });

  it('is not hurried while there is time', () => {
    const step = { usual: BEHIND / 2, age: 0 };
    expect(haste([step, step, step])).toBe(1);
    expect(haste([step, step, step, step, step])).toBe(0.5);
    expect(haste([step, { ...step, age: 2 * BEHIND }])).toBe(0);
  });
});

describe('the importance of a step', () => {
  const marks = [{ seq: 5, kind: 'win', label: '', weight: 3 }] as Mark[];

  it('is what the game states of the events since the last step', () => {
    const stated = new Map([
      [4, 0.7],
      [9, 0.2],
    ]);
    expect(importanceOf(stated, marks, 3, 6)).toBe(0.7);
    expect(importanceOf(stated, marks, 6, 9)).toBe(0.2);
    expect(importanceOf(stated, marks, 4, 6)).toBeLessThan(0.1);
  });

  it('comes from the marks of the timeline in a record without a story', () => {
    expect(importanceOf(new Map(), marks, 3, 6)).toBe(1);
    expect(importanceOf(new Map(), marks, 5, 6)).toBeLessThan(0.1);
  });
});
