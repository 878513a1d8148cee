/** What evaluations found: how much better the policy plays than the one it began as, on the same fresh games. */

import { plain } from '../../lib/text';
import { lastStep, named, series, type Run } from './state';

export interface Evaluation {
  /** The name of the field, of those who sat in the other seats: `vs_base`. */
  label: string;
  step: number;
  /** The policy's mean score less that of its base. */
  gain: number;
  /** Half of the gain's 95 % interval; null where so few games give none. */
  ci95: number | null;
  /** The two mean scores, where they were told. */
  mean: number | null;
  base: number | null;
  games: number | null;
  /** The gain as a difference of Elo ratings, and half of its interval, where they were told. */
  elo: readonly [gap: number, ci95: number] | null;
}

const LONGEST = 40;
const NAME = /^eval\/(.+)\/mean$/;

/** Games below which nothing may be concluded. */
const FEWEST = 5;

export const MAIN = 'vs_base';

/** The fields of opponents that a run was measured in: copies of the policy's own base first. */
export function labels(run: Run): string[] {
  return named(run, NAME).sort((a, b) => Number(b === MAIN) - Number(a === MAIN));
}

/** What the last step found, where it was measured. */
export function measured(run: Run): Evaluation[] {
  const step = lastStep(run)?.step;
  return labels(run).flatMap((label) => evaluations(run, label).filter((one) => one.step === step));
}

/** All that was found against one field, oldest first. */
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

/** What was found last in each field: first where it says most, among copies of its own base. */
export function standing(run: Run): Evaluation[] {
  return labels(run).flatMap((label) => evaluations(run, label).at(-1) ?? []);
}

/** The one that says most. */
export function headline(run: Run): Evaluation | null {
  return standing(run)[0] ?? null;
}

const FIELDS: Readonly<Record<string, string>> = {
  [MAIN]: 'among copies of its base',
  vs_field: 'in the field it trains in',
};

/** Who sat in the other seats: `vs_field` -> `in the field it trains in`, `vs_dumbbot` -> `against dumbbot`. */
export function among(label: string): string {
  return FIELDS[label] ?? `against ${plain(label.replace(/^vs_/, '').replaceAll('_', ' '), LONGEST)}`;
}

/** What may be concluded: nothing without an interval. */
export function verdict({ gain, ci95 }: Evaluation): 'better' | 'worse' | 'open' {
  if (ci95 === null) return 'open';
  if (gain > ci95) return 'better';
  return gain < -ci95 ? 'worse' : 'open';
}

/** ` ± 0.021`; where there is no interval, that there are too few games to say. */
export function interval({ ci95 }: Evaluation): string {
  return ci95 === null ? '(too few games for an interval)' : `± ${ci95.toFixed(3)}`;
}
