/** A run in sentences, for the log, the marks of the timeline and the lobby. */

import { capital, plain } from '../../lib/text';
import type { CoreEvent, Event, LeagueRated } from '../../types.gen';
import type { Marker } from '../game';
import { among, headline, MAIN, measured, interval, type Evaluation } from './evaluation';
import { checks, type Check } from './health';
import { duration, short, signed } from '../../lib/numbers';
import { ratedWords } from './league/words';
import { lastStep, pace, planned, reduce, type Run } from './state';

/** Return a sentence about a step, or about ratings. */
export function describe(event: Event, before: Run): string {
  const rated = (event as CoreEvent).type === 'LeagueRated' ? (event as Event & { data: LeagueRated }).data : null;
  if (rated) return ratedWords(rated);
  if (event.type !== 'TrainStepped') return '';
  const run = reduce(before, event);
  const step = lastStep(run);
  if (!step) return '';
  const { metrics } = step;
  const figures = [
    metrics['benchmark/reward_mean'] === undefined ? '' : `reward ${short(metrics['benchmark/reward_mean'])}`,
    metrics['kl/max'] === undefined ? '' : `KL at most ${short(metrics['kl/max'])}`,
    ...measured(run).map(comparison),
  ].filter(Boolean);
  const sentence = `Step ${step.step}${figures.length ? `: ${figures.join(', ')}` : ''}`;
  return [sentence, ...begun(event, before).map(({ wrong }) => wrong.replace(/\.$/, ''))].join('. ');
}

/** Return marks for evaluations, and for the first step beyond a bound. */
export function markers(event: Event, before: Run): Marker[] {
  if (event.type !== 'TrainStepped') return [];
  return [
    ...measured(reduce(before, event)).map((evaluation): Marker => ({
      kind: 'note',
      label: capital(comparison(evaluation)),
      seat: 'policy',
      weight: 2,
    })),
    ...begun(event, before).map(({ wrong }): Marker => ({ kind: 'note', label: wrong, weight: 3 })),
  ];
}

/** Return the checks that this step failed and the step before did not. */
function begun(event: Event, before: Run): Check[] {
  const was = new Set(troubles(before).map(({ id }) => id));
  return troubles(reduce(before, event)).filter(({ id }) => !was.has(id));
}

/** Return the checks that the last step failed. */
export function troubles(run: Run): Check[] {
  return checks(run, lastStep(run)?.metrics ?? {}).filter(({ well }) => !well);
}

/** Return a result like `+0.046 ± 0.021 over its base, against dumbbot`. */
export function comparison(evaluation: Evaluation): string {
  const { label, gain } = evaluation;
  const where = label === MAIN ? '' : `, ${among(label)}`;
  return `${signed(gain)} ${interval(evaluation)} over its base${where}`;
}

/** Return the count for the score strip and the lobby: the gain over the base or, before there is one, the progress. */
export function tally(run: Run): string {
  const evaluation = headline(run);
  if (evaluation) return signed(evaluation.gain);
  const step = lastStep(run)?.step ?? 0;
  return planned(run) ? `${step}/${planned(run)}` : String(step);
}

/** Return the caption: the first problem and its remedy, or that there is none. */
export function line(run: Run): string {
  const step = lastStep(run);
  if (!step) return '';
  const [first] = troubles(run);
  if (first) return `${first.wrong} ${first.help}`;
  return [checks(run, step.metrics).length ? 'All is well' : '', run.ended ? '' : remaining(run)]
    .filter(Boolean)
    .join(', ');
}

/** Return the remaining time like `about 3 min left`, or '' if it cannot be estimated. */
export function remaining(run: Run): string {
  const seconds = pace(run);
  const left = planned(run) - (lastStep(run)?.step ?? 0);
  return seconds === null || left <= 0 ? '' : `about ${duration(seconds * left)} left`;
}

const LONGEST = 40;

/** Return the name of a metric in words: `reward_mean` -> `Reward mean`. */
export function plainly(name: string): string {
  return plain(capital(name.replaceAll(/[_/]/g, ' ')), LONGEST);
}
