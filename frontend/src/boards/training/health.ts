/** The health of a run: a few bounds, and in words what is wrong with values beyond them and how to correct it. */

import { percent, short } from '../../lib/numbers';
import { setting, word, type Run } from './state';

export interface Check {
  id: 'kl' | 'gap' | 'clip' | 'gradient' | 'skip';
  name: string;
  /** The value and the bound as texts. */
  value: string;
  bound: string;
  well: boolean;
  /** The problem and the remedy, shown if the value is beyond its bound. */
  wrong: string;
  help: string;
}

export const KL_GOAL = 10;
const CLIPPED = 0.6;
const GRADIENT = 50;
const SKIPPED = 0.8;
const GATE = 1e-4;

/** The difference between sampler and learner at which the run stops, and the measure that this bound applies to. */
export function gate(run: Run): { metric: string; bound: number } {
  const metric = word(run, 'policy', 'dtype') === 'bfloat16' ? 'logprob/diff_mean' : 'logprob/diff_max';
  return {
    metric,
    bound: setting(run, 'optimizer', 'max_logprob_gap') ?? setting(run, 'optimiser', 'max_logprob_gap') ?? GATE,
  };
}

/** Return the checks of a step with these metrics. */
export function checks(run: Run, metrics: Readonly<Record<string, number>>): Check[] {
  const { metric, bound } = gate(run);
  return [
    check('kl', 'KL, largest', metrics['kl/max'], KL_GOAL, short, (value) => [
      `The policy moves away from its reference: the largest KL of a token is ${value}.`,
      'Raise kl.beta, give kl.target a value, or lower optimizer.learning_rate.',
    ]),
    check('gap', 'Sampler and learner', metrics[metric], bound, short, (value) => [
      `Sampler and learner differ by ${value} nats at a token: the learner does not see the sampled policy.`,
      'Check that both have the same weights, mask, temperature and number format.',
    ]),
    check('clip', 'Clipped', metrics['ppo/clip_fraction'], CLIPPED, percent, (value) => [
      `${value} of the tokens are clipped, so they do not contribute to learning.`,
      'Lower optimizer.learning_rate, optimizer.epochs or rollout.max_staleness.',
    ]),
    check(
      'gradient',
      'Gradient norm',
      metrics['benchmark/grad_norm'] ?? metrics['optimiser/grad_norm'],
      GRADIENT,
      short,
      (value) => [
        `The gradient's norm is ${value}: a few samples decide the step.`,
        'Lower advantage.clip or optimizer.learning_rate, and check the scale of the rewards.',
      ],
    ),
    check('skip', 'Skipped', metrics['processing/skip_rate'], SKIPPED, percent, (value) => [
      `${value} of the decisions are skipped, because all forks of a group have the same result.`,
      'Raise rollout.samples, rollout.temperature or rollout.horizon, or add reward components.',
    ]),
  ].filter((result) => result !== null);
}

function check(
  id: Check['id'],
  name: string,
  value: number | undefined,
  bound: number,
  write: (value: number) => string,
  tell: (value: string) => readonly [string, string],
): Check | null {
  if (value === undefined) return null;
  const [wrong, help] = tell(write(value));
  return { id, name, value: write(value), bound: write(bound), well: value <= bound, wrong, help };
}
