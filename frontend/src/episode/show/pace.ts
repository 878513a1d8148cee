/**
 * The pace at which a match is shown, live and replayed, by what happens in it. Pure: the caller has the clock.
 *
 * A step has three parts: its picture unfolds on the board, then the score is told, then the words and the chances. A
 * rest follows, which is longer for what matters more.
 */

import type { Unfolding } from '../../boards/game';
import type { Mark } from '../record/moments';

export interface Dial {
  readonly id: 'highlights' | 'live' | 'slow' | 'full';
  readonly label: string;
  /** The multiple of the usual time of a step; 0 for no pauses at all. */
  readonly factor: number;
  /** Steps of less importance are left out. */
  readonly from: number;
}

export const LIVE: Dial = { id: 'live', label: 'Live', factor: 1, from: 0 };
export const DIALS: readonly Dial[] = [
  { id: 'highlights', label: 'Highlights', factor: 1, from: 0.5 },
  LIVE,
  { id: 'slow', label: 'Slow', factor: 2, from: 0 },
  { id: 'full', label: 'Full speed', factor: 0, from: 0 },
];

/** The most milliseconds that a live viewer is behind the match. */
export const BEHIND = 30_000;
/** The same for the broadcast, whose picture, API and commands agree within 3 s. */
export const BROADCAST_BEHIND = 2_500;
/** The same for a player, who is shown what happened but needs the rest of the clock for the next decision. */
export const PLAYER_BEHIND = 8_000;

/** What the time of a step depends on. */
export interface StepFacts {
  /** The milliseconds that the board needs to unfold the change. */
  readonly unfolding: Unfolding;
  /** From 0 to 1. */
  readonly importance: number;
  /** The number of characters to read. */
  readonly length: number;
  /** The number of characters of the letters that are shown with it. */
  readonly letters?: number;
}

/** The milliseconds of a step's parts; `rate` is the speed of the picture, 0 if it is not animated. */
export interface Timing {
  readonly picture: number;
  readonly score: number;
  readonly rest: number;
  readonly rate: number;
}

export const AT_ONCE: Timing = { picture: 0, score: 0, rest: 0, rate: 0 };

/** Milliseconds between steps at full speed. */
const PASSING = 60;
/** The shortest rest, so that the page can draw between two steps. */
const FRAME = 16;
const SHORTEST_REST = 300;
const REST = 2600;
/** Milliseconds to read a character, and at most in all. */
const READING = 22;
const LONGEST_READING = 3200;
/** Milliseconds to read a character of a letter, and at most all letters of a round: they come before the orders. */
const LETTER = 16;
const LONGEST_LETTERS = 4000;
/** An animation that would be faster than this is left out. */
const FASTEST = 3;

/** Return the milliseconds of a whole step. */
export const whole = ({ picture, score, rest }: Timing): number => picture + score + rest;

/**
 * Return the timing of a step at `dial`, with `haste` from 0 to 1 as the share of the usual time that there is for it.
 */
export function timing({ unfolding, importance, length, letters = 0 }: StepFacts, dial: Dial, haste = 1): Timing {
  if (dial.factor === 0) return { ...AT_ONCE, rest: PASSING };
  const share = dial.factor * haste;
  const reading = Math.min(LONGEST_READING, length * READING) * Math.min(1, 0.25 + importance);
  const writing = Math.min(LONGEST_LETTERS, letters * LETTER);
  const rest = Math.max(SHORTEST_REST + REST * importance ** 1.5, reading, writing);
  if (share * FASTEST < 1)
    return { ...AT_ONCE, rest: Math.max(FRAME, (unfolding.picture + unfolding.score + rest) * share) };
  return {
    picture: unfolding.picture * share,
    score: unfolding.score * share,
    rest: rest * share,
    rate: 1 / share,
  };
}

/** A step of a live match that waits to be shown: its usual time, and the milliseconds since it happened. */
export interface Waiting {
  readonly usual: number;
  readonly age: number;
}

/** The milliseconds late at which nothing of the usual time would be left, and the share that is left in any case. */
const EASE = 8000;
const LEAST = 0.4;

/**
 * Return the share of the usual time for the next step, the first of `queue`, with which no step of the queue is shown
 * more than `behind` milliseconds after it happened. What begins `late` is told a little faster, so that the show of a
 * match that is paced for it catches up.
 */
export function haste(queue: readonly Waiting[], behind = BEHIND, late = 0): number {
  let share = Math.min(1, Math.max(LEAST, 1 - late / EASE));
  let before = 0;
  for (const { usual, age } of queue) {
    if (before > 0) share = Math.min(share, Math.max(0, behind - age) / before);
    before += usual;
  }
  return share;
}

const WEIGHTS: Record<Mark['weight'], number> = { 1: 0.35, 2: 0.6, 3: 1 };

/**
 * Return the importance of the step to `seq` from the one before, `after`: as the game states it or, in a record without
 * a story, from the marks of the timeline.
 */
export function importanceOf(
  stated: ReadonlyMap<number, number>,
  marks: readonly Mark[],
  after: number,
  seq: number,
): number {
  let most = -1;
  for (let at = after + 1; at <= seq; at++) most = Math.max(most, stated.get(at) ?? -1);
  if (most >= 0) return Math.min(1, most);
  if (stated.size) return 0.05;
  for (let n = marks.length - 1; n >= 0; n--) {
    const mark = marks[n];
    if (!mark || mark.seq <= after) break;
    if (mark.seq <= seq) most = Math.max(most, WEIGHTS[mark.weight]);
  }
  return Math.max(most, 0.05);
}
