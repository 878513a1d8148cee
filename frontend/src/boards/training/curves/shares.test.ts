import { expect, test } from 'vitest';

import { components, layers } from './shares';
import { running } from '../testing/run';

const run = running(2, (step) => ({
  'reward/centers_share': step === 1 ? 0.75 : 1.2,
  'reward/score_share': step === 1 ? 0.25 : -0.2,
  'reward/step_share': 1,
  'reward/final_share': 0,
}));

test('components are those of the game; sums of them are none', () => {
  const parts = components(run);
  expect(parts.map(({ name }) => name)).toEqual(['centers', 'score']);
  expect(new Set(parts.map(({ colour }) => colour)).size).toBe(2);
});

test('the layers fill the chart; what is below 0 has no height', () => {
  const [centers, score] = layers(components(run));
  expect(centers?.low).toEqual([
    [1, 0],
    [2, 0],
  ]);
  expect(centers?.high).toEqual([
    [1, 0.75],
    [2, 1],
  ]);
  expect(score?.low).toEqual(centers?.high);
  expect(score?.high).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

test('where no share is known, nothing is drawn', () => {
  expect(layers(components(running(3)))).toEqual([]);
});
