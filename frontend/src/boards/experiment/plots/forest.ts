/** The drawing of a difference between arms: its axis, zero, the least effect, and the region in which the claim holds. */

import { linear, ticks, type Scale } from '../../../lib/chart/scale';
import type { CriterionVerdict, ExperimentCriterion } from '../../../types.gen';

export interface Forest {
  /** From a value to per cent of the width. */
  readonly scale: Scale;
  readonly ticks: readonly number[];
  /** The least effect on the side, or the sides, on which it counts. */
  readonly bounds: readonly number[];
  /** The values with which the claim holds by what would matter, cut to the axis. */
  readonly region: readonly [from: number, to: number];
}

const EDGE = 3;
const COUNT = 5;
/** The axis goes beyond the least effect by this factor, so that there is room on both sides of it. */
const ROOM = 1.5;

/** Return where the least effect of a criterion lies. */
export function bounds({
  direction,
  least_effect: least,
}: Pick<ExperimentCriterion, 'direction' | 'least_effect'>): number[] {
  switch (direction) {
    case 'greater':
    case 'not_greater':
      return [least];
    case 'less':
    case 'not_less':
      return [-least];
    case 'equivalent':
      return [-least, least];
  }
}

/** Return the drawing of a criterion; without a verdict, of its bounds alone. */
export function forest(criterion: ExperimentCriterion, verdict: CriterionVerdict | null): Forest {
  const marks = bounds(criterion);
  const { mean, low, high } = verdict?.difference ?? {};
  const values = (verdict?.values ?? []).map(({ value }) => value);
  const all = [0, ...marks.map((mark) => ROOM * mark), mean, low, high, ...values].filter((value) => value != null);
  const axis = ticks(Math.min(...all), Math.max(...all), COUNT);
  const [first, last] = [axis[0] ?? 0, axis.at(-1) ?? 1];
  return {
    scale: linear([first, last], [EDGE, 100 - EDGE]),
    ticks: axis,
    bounds: marks,
    region: region(criterion, first, last),
  };
}

function region(
  { direction, least_effect: least }: ExperimentCriterion,
  first: number,
  last: number,
): [number, number] {
  switch (direction) {
    case 'greater':
      return [least, last];
    case 'less':
      return [first, -least];
    case 'not_less':
      return [-least, last];
    case 'not_greater':
      return [first, least];
    case 'equivalent':
      return [-least, least];
  }
}
