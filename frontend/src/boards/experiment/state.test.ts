import { describe, expect, it } from 'vitest';

import { begin, counts, judged, reduce, runOf, runs, statusOf } from './state';
import { after, analysed, changed, episode, event, plan, planned, verdict } from './testing/plan';

describe('an experiment', () => {
  it('has its hypothesis before its plan is there', () => {
    const experiment = begin(episode);
    expect(experiment.hypothesis).toBe('A penalty helps.');
    expect(runs(experiment)).toEqual([]);
    expect(judged(experiment)).toEqual([]);
    expect(statusOf(experiment)).toBe('planned');
  });

  it('has a run for each arm and seed, planned until it begins', () => {
    const experiment = after(changed(3, 'B', 1, { step: 12 }));
    expect(runs(experiment).map(({ id, status }) => `${id} ${status}`)).toEqual([
      'A-s1 planned',
      'A-s2 planned',
      'A-s3 planned',
      'B-s1 running',
      'B-s2 planned',
      'B-s3 planned',
    ]);
    expect(runOf(experiment, 'A', 1)).toMatchObject({ steps: 40, step: 0, spare: false });
    expect(counts(experiment)).toMatchObject({ planned: 5, running: 1, completed: 0 });
  });

  it('runs the seeds after the first look only if it is undecided', () => {
    expect(
      runs(after())
        .filter(({ spare }) => spare)
        .map(({ id }) => id),
    ).toEqual(['A-s3', 'B-s3']);
  });

  it('leaves out runs that a later plan does not have', () => {
    const experiment = after(
      changed(3, 'B', 3, { status: 'completed' }),
      event(4, 'ExperimentPlanned', { ...plan, seeds: [1, 2], looks: [2] }),
    );
    expect(counts(experiment)).toMatchObject({ planned: 4, completed: 0 });
  });

  it('does not change an earlier state', () => {
    const before = after(changed(3, 'A', 1));
    const later = reduce(before, changed(4, 'A', 1, { status: 'failed' }));
    expect(runOf(before, 'A', 1).status).toBe('running');
    expect(runOf(later, 'A', 1).status).toBe('failed');
  });

  it('joins a criterion with its verdict', () => {
    expect(judged(after())[0]).toMatchObject({ verdict: null });
    expect(judged(after(analysed(3, 6, verdict())))[0]?.verdict?.verdict).toBe('supported');
  });

  it('tells whether it runs, waits, failed or is over', () => {
    const running = after(changed(3, 'A', 1));
    expect(statusOf(after())).toBe('planned');
    expect(statusOf(running)).toBe('running');
    expect(statusOf(reduce(running, changed(4, 'A', 1, { status: 'interrupted' })))).toBe('waiting');
    expect(statusOf(reduce(running, event(4, 'EpisodeEnded', { status: 'finished' })))).toBe('finished');
    expect(statusOf(reduce(running, event(4, 'EpisodeEnded', { status: 'stopped' })))).toBe('failed');
  });

  it('passes over events that it does not know', () => {
    const experiment = after();
    expect(reduce(experiment, event(9, 'SomethingNew', {}))).toBe(experiment);
    expect(planned().seq).toBe(2);
  });
});
