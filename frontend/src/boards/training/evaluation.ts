/** The results of evaluations: the gain of the policy over its base in the same matches. */

import { plain } from '../../lib/text';
import { lastStep, named, series, type Run } from './state';

export interface Evaluation {
  /** The name of the opponents: `vs_base`. */
  label: string;
  step: number;
  /** The policy's mean score less that of its base. */
  gain: number;
  /** Half of the gain's 95 % interval; null if there are too few matches for one. */
  ci95: number | null;
  /** The two mean scores, if they were reported. */
  mean: number | null;
  base: number | null;
  games: number | null;
  /** The gain as a difference of Elo ratings and half of its interval, if they were reported. */
  elo: readonly [gap: number, ci95: number] | null;
}

const LONGEST = 40;
const NAME = /^eval\/(.+)\/mean$/;

/** Number of matches below which there is no conclusion. */
const FEWEST = 5;

export const MAIN = 'vs_base';

/** Return the opponents of the evaluations, copies of the policy's base first. */
export function labels(run: Run): string[] {
  return named(run, NAME).sort((a, b) => Number(b === MAIN) - Number(a === MAIN));
}

/** Return the results of the last step, if it was evaluated. */
export function measured(run: Run): Evaluation[] {
  const step = lastStep(run)?.step;
  return labels(run).flatMap((label) => evaluations(run, label).filter((evaluation) => evaluation.step === step));
}

/** Return all results against the same opponents, oldest first. */
export function evaluations(run: Run, label: string): Evaluation[] {
  const of = (name: string): Map<number, number> => new Map(series(run, `eval/${label}/${name}`));
  const [gains, means, bases, games] = [of('gain'), of('mean'), of('base'), of('games')];
  const [gaps, halves] = [of('elo'), of('elo_ci95')];
  const intervals = of('ci95');
  return series(run, `eval/${label}/mean`).flatMap(([step]) => {
    const paired = gains.has(step);
    const gain = gains.get(step) ?? means.get(step);
    if (gain === undefined) return [];
    const [mean, base] = paired ? [means.get(step) ?? null, bases.get(step) ?? null] : [null, null];
    const [gap, about] = [gaps.get(step), halves.get(step)];
    const elo = gap === undefined || !about ? null : ([gap, about] as const);
    const played = games.get(step) ?? null;
    const half = intervals.get(step) ?? 0;
    const ci95 = half > 0 && (played === null || played >= FEWEST) ? half : null;
    return [{ label, step, gain, ci95, mean, base, games: played, elo: ci95 === null ? null : elo }];
  });
}

/** Return the last result against each kind of opponents, copies of the base first. */
export function standing(run: Run): Evaluation[] {
  return labels(run).flatMap((label) => evaluations(run, label).at(-1) ?? []);
}

/** Return the result to show first. */
export function headline(run: Run): Evaluation | null {
  return standing(run)[0] ?? null;
}

const FIELDS: Readonly<Record<string, string>> = {
  [MAIN]: 'among copies of its base',
  vs_field: 'in the field it trains in',
};

/** Return the opponents in words: `vs_field` -> `in the field it trains in`, `vs_dumbbot` -> `against dumbbot`. */
export function among(label: string): string {
  return FIELDS[label] ?? `against ${plain(label.replace(/^vs_/, '').replaceAll('_', ' '), LONGEST)}`;
}

/** Return the conclusion from a result; there is none without an interval. */
export function verdict({ gain, ci95 }: Evaluation): 'better' | 'worse' | 'open' {
  if (ci95 === null) return 'open';
  if (gain > ci95) return 'better';
  return gain < -ci95 ? 'worse' : 'open';
}

/** Return why a result has no interval; '' if it has one. Games that all differ by the same have no variance. */
export function inconclusive({ ci95, games }: Evaluation): string {
  if (ci95 !== null) return '';
  return games !== null && games >= FEWEST ? 'the same difference in every game' : 'too few games to say';
}

/** Return a text like `± 0.021`, or why there is no interval. */
export function interval(evaluation: Evaluation): string {
  const { ci95 } = evaluation;
  return ci95 === null ? `(${inconclusive(evaluation)})` : `± ${ci95.toFixed(3)}`;
}
