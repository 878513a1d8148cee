/** The standings of the powers, and the chart of their history. */

import type { Standing, Strip } from '../game';
import { readPhase } from './phases';
import { POWER_IDS } from './powers';
import { count, type Standing as Year, type State } from './state';

/** Number of supply centres for a solo. */
export const SOLO = 18;

/** Return what lists and the score strip show of a power: the number of its supply centres. */
export function stripOf(board: State | undefined, power: string): Strip {
  if (!board) return { count: '' };
  const count = Object.values(board.centers).filter((owner) => owner === power).length;
  return { count: String(count), standing: standing(board, power), ready: board.ready.includes(power) };
}

/** Return what the score strip shows of a power: its supply centres by year, its units if they differ, its vote. */
export function standing(board: State, power: string): Standing {
  const counts = count(board.centers);
  const history = board.history.map((year) => year.counts[power] ?? 0);
  const centers = counts[power] ?? 0;
  const units = [...Object.values(board.units), ...Object.values(board.dislodged)].filter(
    (unit) => unit.power === power,
  ).length;
  const out = board.eliminated[power];
  const year = out ? readPhase(out)?.year : '';
  return {
    history,
    most: SOLO,
    change: centers - (history.at(-2) ?? history.at(-1) ?? centers),
    notes: [
      ...(board.votes.includes(power) ? ['votes for a draw'] : []),
      ...(out === undefined ? [] : [year ? `out in ${year}` : 'out']),
      ...(out === undefined && units !== centers && board.phase.endsWith('A') ? [`${units} units`] : []),
    ],
    out: out !== undefined,
  };
}

export interface Line {
  readonly power: string;
  /** Supply centres, one value per year of the history. */
  readonly counts: readonly number[];
}

/** Return one line for each power that ever owned a supply centre. */
export function linesOf(history: readonly Year[]): Line[] {
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
