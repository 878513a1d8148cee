/** How the powers stand, and the chart of how they came there. */

import { POWER_IDS } from './powers';
import { count, type Standing, type State } from './state';

/** Supply centres that win alone. */
export const SOLO = 18;

export interface Row {
  readonly power: string;
  readonly centers: number;
  /** Against the year before. */
  readonly change: number;
  readonly units: number;
  /** The phase in which the power was eliminated, '' where that is not known; null while it is in the game. */
  readonly out: string | null;
  readonly ready: boolean;
  readonly votes: boolean;
}

/** The powers, most supply centres first; of equals the one with more units, then by name. */
export function standings(board: State): Row[] {
  const centers = count(board.centers);
  const before = board.history.at(-2)?.counts ?? board.history.at(-1)?.counts ?? centers;
  const units: Record<string, number> = {};
  for (const { power } of [...Object.values(board.units), ...Object.values(board.dislodged)]) {
    units[power] = (units[power] ?? 0) + 1;
  }
  const rows = POWER_IDS.map((power) => ({
    power,
    centers: centers[power] ?? 0,
    change: (centers[power] ?? 0) - (before[power] ?? 0),
    units: units[power] ?? 0,
    out: board.eliminated[power] ?? null,
    ready: board.ready.includes(power),
    votes: board.votes.includes(power),
  }));
  return rows.sort((a, b) => b.centers - a.centers || b.units - a.units || a.power.localeCompare(b.power));
}

export interface Line {
  readonly power: string;
  /** Supply centres, one a year of the history. */
  readonly counts: readonly number[];
}

/** One line a power that ever had a supply centre. */
export function linesOf(history: readonly Standing[]): Line[] {
  return POWER_IDS.map((power) => ({ power, counts: history.map(({ counts }) => counts[power] ?? 0) })).filter(
    ({ counts }) => counts.some((number) => number > 0),
  );
}

/** `wanted` heights moved apart to lie at least `gap` from each other, in order and within [0, room]. */
export function spread(wanted: readonly number[], gap: number, room: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let floor = -Infinity;
  for (const index of order) {
    placed[index] = Math.max(placed[index] ?? 0, floor);
    floor = (placed[index] ?? 0) + gap;
  }
  let ceiling = room;
  for (const index of order.toReversed()) {
    placed[index] = Math.min(placed[index] ?? 0, ceiling);
    ceiling = (placed[index] ?? 0) - gap;
  }
  return placed;
}
