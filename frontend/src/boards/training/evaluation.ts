/** What evaluations found: how much better the policy plays than the one it began as, on the same fresh games. */

import { lastStep, named, series, type Run } from './state';

export interface Evaluation {
  /** The name of its field of opponents: `vs_base`. */
  label: string;
  step: number;
  /** The policy's mean score less that of its base. */
  gain: number;
  /** Half of the gain's 95 % interval. */
  ci95: number;
  /** The two mean scores, where they were told. */
  mean: number | null;
  base: number | null;
  games: number | null;
}

const NAME = /^eval\/(.+)\/ci95$/;

const MAIN = 'vs_base';

/** The fields of opponents that a run was measured against: the policy's own base first. */
function labels(run: Run): string[] {
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
  return series(run, `eval/${label}/ci95`).flatMap(([step, ci95]) => {
    const paired = gains.has(step);
    const gain = gains.get(step) ?? means.get(step);
    if (gain === undefined) return [];
    const [mean, base] = paired ? [means.get(step) ?? null, bases.get(step) ?? null] : [null, null];
    return [{ label, step, gain, ci95, mean, base, games: games.get(step) ?? null }];
  });
}

/** The last of the evaluations that say most: against its own base, or else against the first field there is. */
export function headline(run: Run): Evaluation | null {
  const [label] = labels(run);
  return label === undefined ? null : (evaluations(run, label).at(-1) ?? null);
}

/** `vs_base` -> `against its base`. */
export function against(label: string): string {
  if (label === MAIN) return 'against its base';
  return label.startsWith('vs_')
    ? `against ${label.slice(3).replaceAll('_', ' ')}`
    : `in ${label.replaceAll('_', ' ')}`;
}

/** What may be concluded. */
export function verdict({ gain, ci95 }: Evaluation): 'better' | 'worse' | 'open' {
  if (gain > ci95) return 'better';
  return gain < -ci95 ? 'worse' : 'open';
}
