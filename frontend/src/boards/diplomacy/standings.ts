/** The standings of the powers, and the chart of their history. */

import { POWER_IDS } from './powers';
import { count, type Standing, type State } from './state';

/** Number of supply centres for a solo. */
export const SOLO = 18;

export interface Row {
  readonly power: string;
  readonly centers: number;
  /** The change since the previous year. */
  readonly change: number;
  readonly units: number;
  /** The phase of the power's elimination, '' if not known; null while it is in the game. */
  readonly out: string | null;
  readonly ready: boolean;
  readonly votes: boolean;
}

/** Return the powers by supply centres, then by units, then by name. */
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
  /** Supply centres, one value per year of the history. */
  readonly counts: readonly number[];
}

/** Return one line for each power that ever owned a supply centre. */
export function linesOf(history: readonly Standing[]): Line[] {
  return POWER_IDS.map((power) => ({ power, counts: history.map(({ counts }) => counts[power] ?? 0) })).filter(
    ({ counts }) => counts.some((number) => number > 0),
  );
}

/**
 * Return `wanted` heights, moved as little as possible (least squares) so that they are `gap` apart in the same order.
 */
export function spread(wanted: readonly number[], gap: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  // With the gaps subtracted, this is isotonic regression: neighbours in the wrong order get their mean.
  const blocks: { sum: number; size: number }[] = [];
  order.forEach((index, rank) => {
    let block = { sum: (wanted[index] ?? 0) - rank * gap, size: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.size > block.sum / block.size; last = blocks.at(-1)) {
      block = { sum: block.sum + last.sum, size: block.size + last.size };
      blocks.pop();
    }
    blocks.push(block);
  });
  const placed = [...wanted];
  const means = blocks.flatMap(({ sum, size }) => Array<number>(size).fill(sum / size));
  order.forEach((index, rank) => (placed[index] = (means[rank] ?? 0) + rank * gap));
  return placed;
}
