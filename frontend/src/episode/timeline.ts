/** The geometry of the timeline: numbers of events laid along a line from 0 to the head. */

import type { Mark, Tick } from './moments';

export interface Label {
  seq: number;
  text: string;
}

/** The width of a label's characters and of its margins, pixels; a little more than drawn. */
const CHARACTER = 6.5;
const MARGIN = 16;

/** Ticks that begin something the board gives a name (a year, an innings), every one, or every second, or every third
 *  …, so that all have room on `width` pixels. */
export function labels(ticks: readonly Tick[], name: (turn: string) => string, head: number, width: number): Label[] {
  const found: Label[] = [];
  let last = '';
  for (const { seq, turn } of ticks) {
    const text = name(turn);
    if (text && text !== last) found.push({ seq, text });
    last = text || last;
  }
  const room = (label: Label): number => (label.seq / head) * width;
  const right = (label: Label): number => room(label) + label.text.length * CHARACTER + MARGIN;
  for (let every = 1; every <= found.length; every++) {
    const kept = found.filter((label, index) => index % every === 0 && right(label) <= width);
    if (kept.every((label, index) => index === 0 || room(label) >= right(kept[index - 1] as Label))) return kept;
  }
  return [];
}

/** The marks within `reach` numbers of `seq`, the weightiest first. */
export function near(marks: readonly Mark[], seq: number, reach: number, limit: number): Mark[] {
  return marks
    .filter((mark) => Math.abs(mark.seq - seq) <= reach)
    .sort((a, b) => b.weight - a.weight || Math.abs(a.seq - seq) - Math.abs(b.seq - seq))
    .slice(0, limit);
}

/** The last tick at or before `seq`. */
export function turnAt(ticks: readonly Tick[], seq: number): Tick | undefined {
  return ticks.findLast((tick) => tick.seq <= seq);
}
