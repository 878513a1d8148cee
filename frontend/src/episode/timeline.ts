/** The geometry of the timeline: event numbers along a line from 0 to the head. */

import type { Mark, Tick } from './record/moments';

export interface Label {
  seq: number;
  text: string;
}

/** Estimated width of a label's characters and of its margins in pixels, slightly more than the real width. */
const CHARACTER = 6.5;
const MARGIN = 16;

/**
 * Return labels for the ticks that the board names (a year, an innings): all of them, or every second or third one, so
 * that they fit into `width` pixels.
 */
export function labels(ticks: readonly Tick[], name: (turn: string) => string, head: number, width: number): Label[] {
  const labels: Label[] = [];
  let last = '';
  for (const { seq, turn } of ticks) {
    const text = name(turn);
    if (text && text !== last) labels.push({ seq, text });
    last = text || last;
  }
  const room = (label: Label): number => (label.seq / head) * width;
  const right = (label: Label): number => room(label) + label.text.length * CHARACTER + MARGIN;
  for (let every = 1; every <= labels.length; every++) {
    const kept = labels.filter((label, index) => index % every === 0 && right(label) <= width);
    if (kept.every((label, index) => index === 0 || room(label) >= right(kept[index - 1] as Label))) return kept;
  }
  return [];
}

/** Return the marks within `reach` numbers of `seq`, the heaviest first. */
export function near(marks: readonly Mark[], seq: number, reach: number, limit: number): Mark[] {
  return marks
    .filter((mark) => Math.abs(mark.seq - seq) <= reach)
    .sort((a, b) => b.weight - a.weight || Math.abs(a.seq - seq) - Math.abs(b.seq - seq))
    .slice(0, limit);
}

/** The reactions to a moment. */
export interface Reacted {
  readonly seq: number;
  readonly count: number;
  /** How many of which kind: `Ouch 12`. */
  readonly text: string;
}

const STEPS = 120;
/** How far a moment's reactions spread, as a share of the match: what viewers react to took some time. */
const SPREAD = 0.015;
/** The height that is the whole one at least, so that one viewer is no crowd. */
const CROWD = 3;

/** Return how many reacted along a line from 0 to the head: the heights at even places, the greatest of which is 1. */
export function rise(reactions: readonly Reacted[], head: number): number[] {
  const reach = Math.max(1, head * SPREAD);
  const heights = Array.from({ length: STEPS + 1 }, (_, n) =>
    reactions.reduce(
      (sum, { seq, count }) => sum + count * Math.max(0, 1 - Math.abs(seq - (n / STEPS) * head) / reach),
      0,
    ),
  );
  const most = Math.max(CROWD, ...heights);
  return heights.map((height) => height / most);
}

/** Return the reactions within `reach` numbers of `seq` in words, the most first. */
export function nearReactions(reactions: readonly Reacted[], seq: number, reach: number, limit: number): string[] {
  return reactions
    .filter((each) => Math.abs(each.seq - seq) <= reach)
    .sort((a, b) => b.count - a.count)
    .slice(0, limit)
    .map(({ text }) => text);
}

/** Return the last tick at or before `seq`. */
export function turnAt(ticks: readonly Tick[], seq: number): Tick | undefined {
  return ticks.findLast((tick) => tick.seq <= seq);
}
