/** The corresponding moments of two matches that are shown together. Pure. */

import type { Landmarks } from '../episode/record/moments';
import { countNumbersUpTo } from '../lib/search';

/**
 * Return the number in `there` that corresponds to `seq` in `here`: as many steps into the turn of the same name. If
 * `there` has no such turn, the turn with the same index is used. Returns -1 if `there` has no turn yet.
 */
export function counterpart(here: Landmarks, there: Landmarks, seq: number): number {
  const place = countNumbersUpTo(starts(here), seq) - 1;
  if (place < 0) return Math.min(seq, (there.ticks[0]?.seq ?? 0) - 1);
  const same = named(there, here.ticks[place]?.turn, occurrence(here, place));
  const target = same < 0 ? Math.min(place, there.ticks.length - 1) : same;
  const start = there.ticks[target]?.seq;
  if (start === undefined) return -1;
  const into = countNumbersUpTo(here.steps, seq) - countNumbersUpTo(here.steps, here.ticks[place]?.seq ?? 0);
  const stop = there.ticks[target + 1]?.seq ?? Infinity;
  const first = countNumbersUpTo(there.steps, start);
  const steps = there.steps.slice(first, first + into).filter((step) => step < stop);
  return steps.at(-1) ?? start;
}

const starts = (landmarks: Landmarks): number[] => landmarks.ticks.map((tick) => tick.seq);

/**
 * Return the number of turns with the same name before turn `place`. A name can occur twice: a ball may be bowled
 * again.
 */
function occurrence({ ticks }: Landmarks, place: number): number {
  return ticks.slice(0, place).filter((tick) => tick.turn === ticks[place]?.turn).length;
}

function named({ ticks }: Landmarks, turn: string | undefined, nth: number): number {
  const places = ticks.flatMap((tick, place) => (tick.turn === turn ? [place] : []));
  return places[nth] ?? -1;
}
