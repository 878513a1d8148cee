/** Two matches scrubbed as one: the same turn in both, as far into it. Pure. */

import type { Landmarks } from '../episode/moments';
import { countNumbersUpTo } from '../lib/search';

/**
 * The number in `there` that stands as `seq` does in `here`: in the turn of the same name, after as many steps of it;
 * where `there` has no such turn, in the turn that comes as late. -1 where `there` has no turn yet.
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

/** How many turns of the same name came before turn `place`: a name may come twice, as a ball bowled again. */
function occurrence({ ticks }: Landmarks, place: number): number {
  return ticks.slice(0, place).filter((tick) => tick.turn === ticks[place]?.turn).length;
}

function named({ ticks }: Landmarks, turn: string | undefined, nth: number): number {
  const places = ticks.flatMap((tick, place) => (tick.turn === turn ? [place] : []));
  return places[nth] ?? -1;
}
