import { expect, test } from 'vitest';

import { checks, gate } from './health';
import { running } from './testing/run';

const run = running(0);

test.each([
  ['kl', 'kl/max', 10, 'kl.beta'],
  ['gap', 'logprob/diff_max', 1e-4, 'temperature'],
  ['clip', 'ppo/clip_fraction', 0.6, 'rollout.max_staleness'],
  ['gradient', 'benchmark/grad_norm', 50, 'advantage.clip'],
  ['gradient', 'optimiser/grad_norm', 50, 'advantage.clip'],
  ['skip', 'processing/skip_rate', 0.8, 'rollout.samples'],
])('%s: %s up to %d is well, more is not, and something would help', (id, metric, bound, help) => {
  expect(checks(run, { [metric]: bound })).toMatchObject([{ id, well: true }]);
  const [check] = checks(run, { [metric]: bound * 1.2 });
  expect(check?.well).toBe(false);
  expect(check?.wrong).toMatch(/^[A-Z\d].*[:,].*\.$/);
  expect(check?.help).toContain(help);
});

test('what was not told is not judged', () => expect(checks(run, { 'kl/mean': 99 })).toEqual([]));

test('the gate is the one that the run itself goes by', () => {
  expect(gate(run)).toEqual({ metric: 'logprob/diff_max', bound: 1e-4 });
  const half = { ...run, config: { policy: { dtype: 'bfloat16' }, optimiser: { max_logprob_gap: 0.05 } } };
  expect(gate(half)).toEqual({ metric: 'logprob/diff_mean', bound: 0.05 });
  expect(checks(half, { 'logprob/diff_max': 1, 'logprob/diff_mean': 0.04 })).toMatchObject([{ id: 'gap', well: true }]);
});
