/** Experiments for tests. */

import type {
  CriterionVerdict,
  EpisodeSummary,
  Event,
  ExperimentCriterion,
  ExperimentPlanned,
} from '../../../types.gen';
import { begin, reduce, type Experiment, type Run } from '../state';

export const episode = {
  episode_id: 'experiment-1',
  game: 'experiment',
  options: { name: 'kl', hypothesis: 'A penalty helps.' },
  seats: [],
} as unknown as EpisodeSummary;

export function event(seq: number, type: string, data: Event['data'] = {}): Event {
  return { episode_id: 'experiment-1', epoch: 1, seq, at: 1000 + seq, type, audience: 'public', data };
}

export const criterion = (about: Partial<ExperimentCriterion> = {}): ExperimentCriterion => ({
  name: 'B gains more',
  metric: 'last/base/gain',
  comparison: 'B − A',
  arms: ['B', 'A'],
  direction: 'greater',
  least_effect: 0.05,
  alpha: 0.05,
  ...about,
});

export const plan: ExperimentPlanned = {
  name: 'kl',
  hypothesis: 'A penalty helps.',
  description: '',
  notes: [],
  baseline: 'A',
  arms: ['A', 'B'].map((arm) => ({ arm, name: arm, description: '', steps: 40, changes: [], starts_from: '' })),
  seeds: [1, 2, 3],
  looks: [2, 3],
  metrics: ['last/base/gain', 'kl/max:max'],
  criteria: [criterion()],
  command: 'grandstand sweep kl.yaml --run',
  seconds: null,
  estimated_from: '',
};

export const verdict = (about: Partial<CriterionVerdict> = {}): CriterionVerdict => ({
  criterion: 0,
  verdict: 'supported',
  reason: '0 is outside the interval',
  difference: { mean: 0.1, low: 0.06, high: 0.14, n: 3 },
  level: 0.95,
  values: [1, 2, 3].map((seed) => ({ seed, value: 0.08 + 0.01 * seed })),
  missing: [],
  p: 0.01,
  effect_size: 2,
  power: 0.9,
  seeds_needed: 3,
  together: true,
  ...about,
});

export const planned = (): Event => event(2, 'ExperimentPlanned', { ...plan });

export const changed = (seq: number, arm: string, seed: number, about: Partial<Run> = {}): Event =>
  event(seq, 'ExperimentRunChanged', {
    arm,
    seed,
    status: 'running',
    stage: 'training',
    step: 0,
    steps: 40,
    cause: '',
    message: '',
    episode_id: '',
    ...about,
  });

export const analysed = (seq: number, completed: number, ...criteria: CriterionVerdict[]): Event =>
  event(seq, 'ExperimentAnalysed', { completed, planned: 6, arms: [], criteria });

/** Return the experiment after its plan and these events. */
export const after = (...events: Event[]): Experiment => [planned(), ...events].reduce(reduce, begin(episode));
