import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Director } from './director.svelte';
import type { Timing } from './pace';

const BALL: Timing = { picture: 1000, score: 500, rest: 300, rate: 1 };

function stage(steps: Timing[]) {
  const seen: string[] = [];
  const director = new Director({
    next: () => steps.shift() ?? null,
    take: () => seen.push('picture'),
    tell: (what) => seen.push(what),
    idle: () => seen.push('idle'),
  });
  return { director, seen };
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
    const { director, seen } = stage([BALL, BALL]);
    director.run();
    expect(seen).toEqual(['picture']);
    vi.advanceTimersByTime(999);
    expect(seen).toEqual(['picture']);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['picture', 'score']);
    vi.advanceTimersByTime(500);
    expect(seen).toEqual(['picture', 'score', 'words']);
    vi.advanceTimersByTime(300);
    expect(seen.slice(3)).toEqual(['picture']);
    vi.runAllTimers();
    expect(seen.at(-1)).toBe('idle');
  });

  it('takes no step while one is being shown', () => {
    const { director, seen } = stage([BALL, BALL]);
    director.run();
    director.run();
    expect(seen).toEqual(['picture']);
  });

  it('tells all at once when it is cut, and nothing afterwards', () => {
    const { director, seen } = stage([BALL, BALL]);
    director.run();
    director.cut();
    expect(seen).toEqual(['picture', 'words']);
    vi.runAllTimers();
    expect(seen).toEqual(['picture', 'words']);
    expect(director.busy).toBe(false);
  });
});
