import { expect, test } from 'vitest';

import { begin, grouped, idle, lastStep, latest, named, pace, reduce, series, setting, span, steps } from './state';
import { episode, event, running, stepped } from './testing/run';

test('steps are folded in order, and every state keeps its own', () => {
  const two = running(2, (step) => ({ loss: step }));
  const three = reduce(two, stepped(3, { loss: 9 }));
  expect(series(three, 'loss')).toEqual([
    [1, 1],
    [2, 2],
    [3, 9],
  ]);
  expect(series(two, 'loss')).toHaveLength(2);
  expect(three.log).toBe(two.log);
  expect(lastStep(three)).toMatchObject({ seq: 4, step: 3, version: 3, at: 1020 });
  expect(lastStep(begin(episode))).toBeNull();
});

test('a run that was killed takes some steps once more: the later ones hold', () => {
  const killed = running(5, (step) => ({ loss: step }));
  const resumed = reduce(killed, stepped(4, { loss: 40 }, 9));
  expect(steps(resumed).map(({ step }) => step)).toEqual([1, 2, 3, 4]);
  expect(latest(resumed, 'loss')).toBe(40);
  expect(steps(killed)).toHaveLength(5);
  expect(latest(killed, 'loss')).toBe(5);
});

test('what is told twice from the same state is one step of one log', () => {
  const run = running(3);
  const again = stepped(4, { loss: 1 });
  const [first, second] = [reduce(run, again), reduce(run, again)];
  expect(second.log).toBe(first.log);
  expect(series(second, 'loss')).toEqual([[4, 1]]);
  const other = reduce(run, stepped(4, { loss: 2 }));
  expect([latest(first, 'loss'), latest(other, 'loss'), latest(run, 'loss')]).toEqual([1, 2, undefined]);
});

test('other events are no step; the end is known', () => {
  const run = running(1);
  expect(reduce(run, event(9, 'Whatever'))).toBe(run);
  expect(reduce(run, event(9, 'EpisodeEnded', { status: 'finished' })).ended).toBe('finished');
  expect(run.ended).toBe('');
});

test('a metric that is told now and then has the steps at which it was', () => {
  const run = running(10, (step): Record<string, number> => (step % 5 ? {} : { 'eval/x': step }));
  expect(series(run, 'eval/x')).toEqual([
    [5, 5],
    [10, 10],
  ]);
  expect(latest(run, 'eval/x', 9)).toBe(5);
  expect(latest(run, 'eval/x', 4)).toBeUndefined();
});

test('metrics are found by their names', () => {
  const metrics: Record<string, number>[] = [{ 'opponent/base/score': 1 }, { 'opponent/a/score': 1, 'kl/mean': 2 }];
  const run = running(2, (step) => metrics[step - 1] ?? {});
  expect(named(run, /^opponent\/(.+)\/score$/)).toEqual(['a', 'base']);
  expect(grouped(['kl/mean', 'alone', 'kl/max', 'a/b/c'])).toEqual([
    ['a', ['a/b/c']],
    ['', ['alone']],
    ['kl', ['kl/max', 'kl/mean']],
  ]);
});

test('settings are read where they are numbers, and nowhere else', () => {
  const run = running(0);
  expect(setting(run, 'run', 'steps')).toBe(30);
  expect(setting(run, 'run', 'name')).toBeUndefined();
  expect(setting(run, 'nothing', 'steps')).toBeUndefined();
});

test('the axis is as long as the run, or has room to grow', () => {
  expect(span(running(3))).toEqual([1, 30]);
  expect(span(running(40))).toEqual([1, 40]);
  const long = (count: number): readonly [number, number] =>
    span({ ...running(count), config: { run: { steps: 2000 } } });
  expect([long(3), long(60), long(1999)]).toEqual([
    [1, 50],
    [1, 100],
    [1, 2000],
  ]);
  expect(span({ ...running(3), config: {} })).toEqual([1, 50]);
});

test('the learner is idle for the part of a step in which it does not learn', () => {
  expect(idle(running(3, (step) => ({ 'benchmark/training_time_s': step === 2 ? 2 : 9 })))).toEqual([
    [2, 0.6],
    [3, 0],
  ]);
  expect(idle(running(3))).toEqual([]);
});

test('the pace is the middle of the last gaps', () => {
  expect(pace(running(1))).toBeNull();
  expect(pace(running(12))).toBe(5);
});
