/** A training run up to a moment: its settings and its steps. */

import type { Point } from '../../lib/chart/series';
import { countUpTo } from '../../lib/search';
import type { CoreEvent, EpisodeSummary, Event, LeagueRated } from '../../types.gen';

/** One gradient step, and the number of its event. */
export interface Step {
  readonly seq: number;
  /** Time of the event, in Unix seconds. */
  readonly at: number;
  readonly step: number;
  readonly version: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * All steps in one order, and the values of each metric. It only grows at its end. The states of a run share it, each
 * with its own `length`, so that later steps do not change earlier states and any state takes little memory.
 */
interface Log {
  readonly steps: Step[];
  readonly columns: Map<string, Point[]>;
}

export interface Run {
  /** The run's resolved settings, by section. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The start of the training in Unix seconds, or null. */
  readonly began: number | null;
  /** How the run ended; '' while it continues. */
  readonly ended: string;
  readonly log: Log;
  /** Number of the log's steps that belong to this state. */
  readonly length: number;
  /** The ratings of the league, the oldest first; `ratings` in league.ts leaves out those of later steps. */
  readonly rated: readonly LeagueRated[];
}

export const stepOf = ([step]: Point): number => step;

export function begin(episode: EpisodeSummary): Run {
  return {
    config: episode.options,
    began: null,
    ended: '',
    log: { steps: [], columns: new Map() },
    length: 0,
    rated: [],
  };
}

export function reduce(run: Run, raw: Event): Run {
  const event = raw as CoreEvent;
  switch (event.type) {
    case 'EpisodeStarted':
      return { ...run, began: event.at };
    case 'TrainStepped': {
      const { step, version, metrics } = event.data;
      // A killed run continues from its last checkpoint, so the steps after it are repeated.
      let length = run.length;
      while (length > 0 && (run.log.steps[length - 1]?.step ?? -1) >= step) length--;
      const next = run.log.steps[length];
      if (next?.metrics === metrics) return { ...run, length: length + 1 };
      const log = next ? cut(run.log, length) : run.log;
      append(log, { seq: event.seq, at: event.at, step, version, metrics });
      return { ...run, log, length: length + 1 };
    }
    case 'LeagueRated': {
      const { step } = event.data;
      return { ...run, rated: [...run.rated.filter((earlier) => earlier.step < step), event.data] };
    }
    case 'EpisodeEnded':
      return { ...run, ended: event.data.status };
    default:
      return run;
  }
}

function append({ steps: all, columns }: Log, step: Step): void {
  all.push(step);
  for (const [name, value] of Object.entries(step.metrics)) {
    const column = columns.get(name);
    if (column) column.push([step.step, value]);
    else columns.set(name, [[step.step, value]]);
  }
}

/** Return a separate log of the first `length` steps. */
function cut(log: Log, length: number): Log {
  const own: Log = { steps: [], columns: new Map() };
  for (const step of log.steps.slice(0, length)) append(own, step);
  return own;
}

/** Return the steps up to now, oldest first. */
export function steps({ log, length }: Run): readonly Step[] {
  return log.steps.slice(0, length);
}

export function firstStep({ log, length }: Run): Step | null {
  return (length > 0 && log.steps[0]) || null;
}

export function lastStep({ log, length }: Run): Step | null {
  return log.steps[length - 1] ?? null;
}

/** Return the values of metric `name`, at the steps that have it. */
export function series(run: Run, name: string): readonly Point[] {
  const column = run.log.columns.get(name) ?? [];
  return column.slice(0, countUpTo(column, lastStep(run)?.step ?? -1, stepOf));
}

/** Return the last value of metric `name` up to step `until`. */
export function latest(run: Run, name: string, until = Infinity): number | undefined {
  const column = run.log.columns.get(name) ?? [];
  return column[countUpTo(column, Math.min(until, lastStep(run)?.step ?? -1), stepOf) - 1]?.[1];
}

/** Return the metrics whose names match, sorted by what the pattern's group matches. */
export function named(run: Run, pattern: RegExp): string[] {
  const last = lastStep(run)?.step ?? -1;
  const names: string[] = [];
  for (const [name, column] of run.log.columns) {
    const match = (column[0]?.[0] ?? Infinity) <= last ? pattern.exec(name) : null;
    if (match?.[1] !== undefined) names.push(match[1]);
  }
  return names.sort();
}

/** Return the parts of metrics' names before the first `/`, sorted. */
export function grouped(names: readonly string[]): [group: string, names: string[]][] {
  const groups = new Map<string, string[]>();
  for (const name of [...names].sort()) {
    const group = name.slice(0, Math.max(0, name.indexOf('/')));
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return [...groups];
}

/** Return a number from the settings: `setting(run, 'run', 'steps')`. */
export function setting({ config }: Run, section: string, name: string): number | undefined {
  const value = (config[section] as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'number' ? value : undefined;
}

export function word({ config }: Run, section: string, name: string): string {
  const value = (config[section] as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** Return the planned number of steps, or 0 if the settings do not contain it. */
export function planned(run: Run): number {
  return setting(run, 'run', 'steps') ?? 0;
}

const SHORT = 100;
const ROOM = 50;

/** Return the range of steps of all charts: up to the planned end, but at most twice the current number of steps. */
export function span(run: Run): readonly [number, number] {
  const now = lastStep(run)?.step ?? 1;
  const first = Math.min(1, firstStep(run)?.step ?? 1);
  let room = ROOM;
  while (room < now) room *= 2;
  const all = planned(run) || room;
  return [first, Math.max(first + 1, now, all <= SHORT ? all : Math.min(all, room))];
}

/**
 * Return the share of each step's time in which its learner did not learn: it waited for matches, or for an evaluation.
 * The first step has none, because it is not known when it began.
 */
export function idle(run: Run): Point[] {
  const learning = new Map(series(run, 'benchmark/training_time_s'));
  return steps(run).flatMap(({ step, at }, n, all): Point[] => {
    const before = all[n - 1];
    const seconds = learning.get(step);
    if (!before || seconds === undefined || at <= before.at) return [];
    return [[step, Math.max(0, 1 - seconds / (at - before.at))]];
  });
}

/** Return the median duration of the last steps in seconds, or null with fewer than two steps. */
export function pace(run: Run): number | null {
  const times = run.log.steps.slice(Math.max(0, run.length - 9), run.length).map(({ at }) => at);
  const gaps = times
    .slice(1)
    .map((at, n) => at - (times[n] ?? at))
    .sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? null;
}
