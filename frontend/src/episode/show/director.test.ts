import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Director } from './director.svelte';
import type { Timing } from './pace';

const BALL: Timing = { picture: 1000, score: 500, rest: 300, rate: 1 };

function stage(steps: Timing[]) {
  const calls: string[] = [];
  const director = new Director({
    next: () => steps.shift() ?? null,
    take: () => calls.push('picture'),
    tell: (what) => calls.push(what),
    idle: () => calls.push('idle'),
  });
  return { director, calls };
}

describe('the director', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', globalThis);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('tells the score after the picture, the words after the score, and goes on after the rest', () => {
    const { director, calls } = stage([BALL, BALL]);
    director.run();
    expect(calls).toEqual(['picture']);
    vi.advanceTimersByTime(999);
    expect(calls).toEqual(['picture']);
    vi.advanceTimersByTime(1);
    expect(calls).toEqual(['picture', 'score']);
    vi.advanceTimersByTime(500);
    expect(calls).toEqual(['picture', 'score', 'words']);
    vi.advanceTimersByTime(300);
    expect(calls.slice(3)).toEqual(['picture']);
    vi.runAllTimers();
    expect(calls.at(-1)).toBe('idle');
  });

  it('goes on earlier if another step waits, with all told of the one before', () => {
    const { director, calls } = stage([BALL, BALL]);
    director.run();
    vi.advanceTimersByTime(1000);
    director.within(200);
    director.within(5000);
    vi.advanceTimersByTime(200);
    expect(calls).toEqual(['picture', 'score', 'words', 'picture']);
    vi.advanceTimersByTime(1799);
    expect(calls.at(-1)).toBe('words');
    vi.advanceTimersByTime(1);
    expect(calls.at(-1)).toBe('idle');
  });

  it('takes no step while one is being shown', () => {
    const { director, calls } = stage([BALL, BALL]);
    director.run();
    director.run();
    expect(calls).toEqual(['picture']);
  });

  it('tells all at once when it is cut, and nothing afterwards', () => {
    const { director, calls } = stage([BALL, BALL]);
    director.run();
    director.cut();
    expect(calls).toEqual(['picture', 'words']);
    vi.runAllTimers();
    expect(calls).toEqual(['picture', 'words']);
    expect(director.busy).toBe(false);
  });
});
