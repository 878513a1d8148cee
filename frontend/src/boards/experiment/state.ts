/** An experiment up to a moment: its plan, the state of each run, and the results so far. */

import type {
  ArmResult,
  CoreEvent,
  CriterionVerdict,
  EpisodeSummary,
  Event,
  ExperimentAnalysed,
  ExperimentCriterion,
  ExperimentPlanned,
  ExperimentRunChanged,
} from '../../types.gen';

/** A run of the plan. */
export interface Run extends ExperimentRunChanged {
  /** `B-s3`. */
  readonly id: string;
  /** Whether it is only run if the experiment is undecided without it. */
  readonly spare: boolean;
}

export interface Experiment {
  /** The hypothesis, which the summary of the episode has before the plan is there. */
  readonly hypothesis: string;
  readonly plan: ExperimentPlanned | null;
  readonly changed: Readonly<Record<string, ExperimentRunChanged>>;
  readonly analysis: ExperimentAnalysed | null;
  /** The status of the end; '' while it continues. */
  readonly ended: string;
  /** The reason of its end, in words. */
  readonly message: string;
}

export type RunState = Run['status'];

export const STATES: readonly RunState[] = ['completed', 'running', 'failed', 'blocked', 'interrupted', 'planned'];

export function begin(episode: EpisodeSummary): Experiment {
  const { hypothesis } = episode.options;
  return {
    hypothesis: typeof hypothesis === 'string' ? hypothesis : '',
    plan: null,
    changed: {},
    analysis: null,
    ended: '',
    message: '',
  };
}

export function reduce(experiment: Experiment, raw: Event): Experiment {
  const event = raw as CoreEvent;
  switch (event.type) {
    case 'ExperimentPlanned':
      return { ...experiment, plan: event.data, hypothesis: event.data.hypothesis };
    case 'ExperimentRunChanged': {
      const run = event.data;
      return { ...experiment, changed: { ...experiment.changed, [idOf(run.arm, run.seed)]: run } };
    }
    case 'ExperimentAnalysed':
      return { ...experiment, analysis: event.data };
    case 'EpisodeEnded':
      return { ...experiment, ended: event.data.status, message: event.data.message ?? '' };
    default:
      return experiment;
  }
}

const idOf = (arm: string, seed: number): string => `${arm}-s${seed}`;

/** Return the run of an arm and a seed; it is planned until an event says otherwise. */
export function runOf({ plan, changed }: Experiment, arm: string, seed: number): Run {
  const id = idOf(arm, seed);
  const known = changed[id];
  const spare = (plan?.seeds.indexOf(seed) ?? 0) >= (plan?.looks[0] ?? Infinity);
  if (known) return { ...known, id, spare };
  const steps = plan?.arms.find((item) => item.arm === arm)?.steps ?? 0;
  const rest = { stage: '', step: 0, steps, cause: '', message: '', episode_id: '' } as const;
  return { arm, seed, status: 'planned', ...rest, id, spare };
}

/** Return all runs of the plan, arm by arm. */
export function runs(experiment: Experiment): Run[] {
  const { plan } = experiment;
  return plan ? plan.arms.flatMap(({ arm }) => plan.seeds.map((seed) => runOf(experiment, arm, seed))) : [];
}

/** Return the number of runs in each state. */
export function counts(experiment: Experiment): Record<RunState, number> {
  const numbers = { planned: 0, running: 0, interrupted: 0, failed: 0, blocked: 0, completed: 0 };
  for (const { status } of runs(experiment)) numbers[status]++;
  return numbers;
}

/** A criterion with its verdict, if there is an analysis yet. */
export interface Judged {
  readonly criterion: ExperimentCriterion;
  readonly verdict: CriterionVerdict | null;
}

export function judged({ plan, analysis }: Experiment): Judged[] {
  return (plan?.criteria ?? []).map((criterion, number) => ({
    criterion,
    verdict: analysis?.criteria.find((item) => item.criterion === number) ?? null,
  }));
}

/** Return the result of a metric for each arm of the plan; null for an arm without one. */
export function results({ plan, analysis }: Experiment, metric: string): (ArmResult | null)[] {
  return (plan?.arms ?? []).map(
    ({ arm }) => analysis?.arms.find((row) => row.arm === arm && row.metric === metric) ?? null,
  );
}

export type Status = 'planned' | 'running' | 'waiting' | 'finished' | 'failed';

/** Return the status of the whole: `waiting` if runs are left and none is at work, `failed` if runs failed. */
export function statusOf(experiment: Experiment): Status {
  const number = counts(experiment);
  if (experiment.ended === 'finished') return 'finished';
  if (experiment.ended) return 'failed';
  if (number.running) return 'running';
  return number.completed + number.failed + number.interrupted ? 'waiting' : 'planned';
}
