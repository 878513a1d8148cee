/** An experiment in sentences, for its page, the log, the marks of the timeline and the lobby. */

import { duration, percent, short } from '../../lib/numbers';
import { capital, plain } from '../../lib/text';
import { many } from '../../lib/say';
import type { CoreEvent, CriterionVerdict, Estimate, Event, ExperimentCriterion } from '../../types.gen';
import type { Marker } from '../game';
import { counts, judged, runOf, statusOf, STATES, type Experiment, type Judged, type Run } from './state';

const LONGEST = 60;

/** Return the name of an arm, a run or a metric as it is shown. */
export const called = (name: string, longest = LONGEST): string => plain(name, longest);

export const VERDICTS: Readonly<Record<CriterionVerdict['verdict'], string>> = {
  supported: 'Supported',
  refuted: 'Refuted',
  undecided: 'Undecided',
};

/** What is shown of a verdict. Only a verdict of all planned runs is a claim. */
export type Sign = 'supported' | 'refuted' | 'undecided' | 'missing';

export function sign({ verdict }: Judged): Sign {
  if (!verdict || verdict.missing.length) return 'missing';
  return verdict.verdict;
}

/** Return a verdict in a word: one whose runs are missing is not yet one. */
export function verdictWord(item: Judged): string {
  return item.verdict && sign(item) !== 'missing' ? VERDICTS[item.verdict.verdict] : 'Not decided yet';
}

/** Return the reason of a verdict, or the runs that it waits for. */
export function verdictReason({ verdict }: Judged): string {
  if (!verdict) return 'No run is completed yet.';
  const { missing } = verdict;
  if (!missing.length) return `${capital(plain(verdict.reason, 300))}.`;
  const some = missing.slice(0, SOME).map((run) => called(run));
  const rest = missing.length - some.length;
  return `It waits for ${many(missing.length, 'run')}: ${some.join(', ')}${rest ? ` and ${rest} more` : ''}.`;
}

const SOME = 4;

type Direction = ExperimentCriterion['direction'];

/** Return the claim of a criterion in words, with the least effect that would matter. */
export function claim({ comparison, direction, least_effect: least }: ExperimentCriterion): string {
  const by = short(least);
  const claims: Readonly<Record<Direction, string>> = {
    greater: `is above 0; ${by} would matter`,
    less: `is below 0; −${by} would matter`,
    not_less: `is not below −${by}`,
    not_greater: `is not above ${by}`,
    equivalent: `is within ±${by}`,
  };
  return `${capital(called(comparison, 120))} ${claims[direction]}`;
}

/** Return a value with its sign and as many digits as the differences on one axis need. */
export function difference(value: number): string {
  const text = short(value);
  return value > 0 ? `+${text}` : text;
}

/** Return an estimate like `+0.103, 95 % interval +0.096 to +0.110, 3 seeds`. */
export function estimateWords(
  { mean, low, high, n }: Estimate,
  format: (value: number) => string,
  level = 0.95,
): string {
  if (mean == null) return 'no value yet';
  const range =
    low == null || high == null ? 'no interval' : `${percentOf(level)} interval ${format(low)} to ${format(high)}`;
  return `${format(mean)}, ${range}, ${many(n, 'seed')}`;
}

/** Return a level like `95 %` or `97.5 %`. */
export const percentOf = (level: number): string => `${Number((100 * level).toFixed(1))} %`;

/** Return the power of a verdict in words, or ''. The truth that it supposes is the least effect, or no difference. */
export function powerWords({ power, seeds_needed: needed }: CriterionVerdict, direction: Direction): string {
  if (power == null) return '';
  const truth =
    direction === 'greater' || direction === 'less' ? 'the least effect were true' : 'there were no difference';
  const text = `Power ${power > 0.99 ? 'over 99 %' : percent(power)}: the chance of “supported” if ${truth}`;
  return `${text}${needed == null ? '' : `; ${many(needed, 'seed')} would give 80 %`}.`;
}

const STATE_WORDS: Readonly<Record<Run['status'], string>> = {
  planned: 'planned',
  running: 'running',
  interrupted: 'interrupted',
  failed: 'failed',
  blocked: 'blocked',
  completed: 'completed',
};

const STAGES: Readonly<Record<Run['stage'], string>> = {
  '': '',
  waiting: 'waiting',
  preparing: 'preparing',
  training: 'training',
  measuring: 'measuring',
};

/** Return the state of a run in a word. */
export function stateWord({ status, stage, spare }: Run): string {
  if (status === 'running') return STAGES[stage] || STATE_WORDS[status];
  return status === 'planned' && spare ? 'if undecided' : STATE_WORDS[status];
}

/** Return the state of a run in a sentence. */
export function runWords(run: Run): string {
  const { id, status, step, steps } = run;
  const parts = [`${called(id)}: ${stateWord(run)}`];
  if (status !== 'completed' && status !== 'planned' && steps) parts.push(`step ${step} of ${steps}`);
  if (run.message) parts.push(`${called(run.cause)}: ${plain(run.message, 200)}`);
  return parts.join(', ');
}

/** Return the causes of failures in words that name the boundary. */
export function causeWords(cause: string): string {
  const words: Readonly<Record<string, string>> = {
    settings: 'Its settings were refused',
    base: 'The base could not be cloned',
    training: 'The training broke off',
    measurement: 'A measurement failed',
    killed: 'It was killed',
    command: 'The command template failed',
    parent: 'The run that it begins with has no result',
  };
  return words[cause] ?? capital(called(cause || 'unknown cause'));
}

/** Return the runs by state: `4 completed, 2 running`. */
export function progress(experiment: Experiment): string {
  const number = counts(experiment);
  return STATES.filter((state) => number[state])
    .map((state) => `${number[state]} ${STATE_WORDS[state]}`)
    .join(', ');
}

/** Return the status of the whole in a word or two. */
export function statusWord(experiment: Experiment): string {
  const words = {
    planned: 'Planned',
    running: 'Running',
    waiting: 'Not running',
    finished: 'Completed',
    failed: experiment.ended === 'stopped' ? 'Runs failed' : 'Ended early',
  };
  return words[statusOf(experiment)];
}

/** Return the caption: what there is, and what it waits for. */
export function line(experiment: Experiment): string {
  if (!experiment.plan) return '';
  const decided = judged(experiment).filter((item) => sign(item) !== 'missing').length;
  const all = experiment.plan.criteria.length;
  const words = decided ? `${decided} of ${many(all, 'criterion').replace('criterions', 'criteria')} judged` : '';
  return [progress(experiment), words].filter(Boolean).join('; ');
}

/** Return the count of an arm for the score strip: its completed runs. */
export function tally(experiment: Experiment, arm: string): string {
  const seeds = experiment.plan?.seeds ?? [];
  const done = seeds.filter((seed) => runOf(experiment, arm, seed).status === 'completed').length;
  return seeds.length ? `${done}/${seeds.length}` : '–';
}

/** Return a sentence about an event. */
export function describe(raw: Event, before: Experiment): string {
  const event = raw as CoreEvent;
  switch (event.type) {
    case 'ExperimentPlanned': {
      const { arms, seeds, seconds } = event.data;
      const time = seconds == null ? '' : `, about ${duration(seconds)}`;
      return `The plan: ${many(arms.length, 'arm')} with ${many(seeds.length, 'seed')} each${time}`;
    }
    case 'ExperimentRunChanged': {
      const { arm, seed, status, stage } = event.data;
      const was = runOf(before, arm, seed);
      if (was.status === status && was.stage === stage) return '';
      return runWords({ ...event.data, id: was.id, spare: was.spare });
    }
    case 'ExperimentAnalysed':
      return verdictChanges(event.data.criteria, before)
        .map(({ criterion, verdict }) => `${plain(criterion.name, 120)}: ${verdict}`)
        .join('. ');
    default:
      return '';
  }
}

/** Return the criteria whose verdict a new analysis changes. */
function verdictChanges(
  verdicts: readonly CriterionVerdict[],
  before: Experiment,
): { criterion: ExperimentCriterion; verdict: string }[] {
  return judged(before).flatMap(({ criterion, verdict: was }, number) => {
    const now = verdicts.find((item) => item.criterion === number);
    const claimed = now && !now.missing.length && (was?.verdict !== now.verdict || was.missing.length > 0);
    return claimed ? [{ criterion, verdict: now.verdict }] : [];
  });
}

/** Return marks for verdicts and failures. */
export function markers(raw: Event, before: Experiment): Marker[] {
  const event = raw as CoreEvent;
  if (event.type === 'ExperimentAnalysed')
    return verdictChanges(event.data.criteria, before).map(({ criterion, verdict }): Marker => ({
      kind: 'note',
      label: `${plain(criterion.name, 120)}: ${verdict}`,
      weight: 3,
    }));
  if (event.type === 'ExperimentRunChanged' && event.data.status === 'failed')
    return [{ kind: 'note', label: describe(raw, before) || 'A run failed', seat: event.data.arm, weight: 2 }];
  return [];
}
