import { expect, test, vi } from 'vitest';

import { after, changed, episode, plan } from '../boards/experiment/testing/plan';
import type { Experiment } from '../boards/experiment/state';
import type { EpisodeSummary } from '../types.gen';
import { placeIn } from './experimentPlace';

vi.mock('../net/router.svelte', () => ({ matchHref: (id: string) => `/episode/${id}` }));

const summary: EpisodeSummary = { ...episode, title: 'A penalty, warmed up' };

/** Return an experiment whose arm B has one other setting, with a training run of each arm. */
function experiment(): Experiment {
  const [first, second] = plan.arms;
  if (!first || !second) throw new Error('the plan has two arms');
  const changes = [{ key: 'kl.warmup_steps', was: '0', now: '10' }];
  const state = after(
    changed(3, 'A', 1, { episode_id: 'training-a' }),
    changed(4, 'B', 2, { episode_id: 'training-b' }),
  );
  return { ...state, plan: { ...plan, arms: [first, { ...second, name: 'warm-up', changes }] } };
}

test('a training run is called by its arm and seed, with the settings of the arm', () => {
  expect(placeIn(experiment(), summary, 'training-b')).toEqual({
    name: 'B: warm-up, seed 2',
    experiment: 'A penalty, warmed up',
    href: '/episode/experiment-1',
    baseline: false,
    changes: [{ key: 'kl.warmup_steps', was: '0', now: '10' }],
    parent: '',
  });
  expect(placeIn(experiment(), summary, 'training-a')).toMatchObject({
    name: 'arm A, seed 1',
    baseline: true,
    changes: [],
  });
});

test('a run of no experiment has no place', () => {
  expect(placeIn(experiment(), summary, 'training-c')).toBeNull();
});
