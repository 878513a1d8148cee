import { expect, test } from 'vitest';

import type { EpisodeSummary } from '../../../types.gen';
import { league, rated } from '../testing/league';
import { running } from '../testing/run';
import { next, ofPair, ofPlayer, ofStep, recorded, seatsOf } from './behind';

const match = (...players: string[]): EpisodeSummary =>
  ({
    seats: players.map((player, index) => ({ seat: `S${index}`, player, kind: 'bot' })),
    training: { run: 'training-1', stage: 'training', step: 4 },
  }) as unknown as EpisodeSummary;

const run = {
  ...running(12),
  config: {
    run: { name: 'nano', folder: 'elsewhere', checkpoint_every: 5, keep_matches: 3 },
    rollout: { groups: 4, samples: 8, buffer_depth: 1 },
  },
};

test('the matches of a step are those that fed it', () => {
  const { query, has } = ofStep(4);
  expect(query).toEqual({ first: 4, last: 4 });
  expect(has(match())).toBe(true);
  expect(has({ ...match(), training: { run: 'r', stage: 'evaluation', step: 4 } })).toBe(false);
  expect(next(run, 4).query).toEqual({ first: 5, last: 6 });
});

test('the matches of a pair have both in a seat, and are searched by the rarer one', () => {
  const behind = ofPair(run, league(10, []), rated('v5'), rated('random'), '');
  expect(behind.query).toEqual({ first: 0, last: 10, player: 'nano@v000005' });
  expect(behind.has(match('nano@v000005', 'random'))).toBe(true);
  expect(behind.has(match('nano@v000005', 'dumbbot'))).toBe(false);
});

test('the policy of now is every version since the checkpoint before', () => {
  const behind = ofPlayer(run, rated('policy'), 10, '');
  expect(behind.query).toEqual({ first: 0, last: 10 });
  expect(['nano@v000005', 'nano@v000006', 'other@v000009', 'random'].map((name) => behind.has(match(name)))).toEqual([
    false,
    true,
    false,
    false,
  ]);
});

test('what was not published is in the record, and a command shows it', () => {
  expect(recorded(run, 12)).toEqual({
    count: 32,
    command: 'grandstand replay nano-s000012-g000-f00 --data elsewhere/nano',
    kept: 3,
  });
  expect(recorded({ ...run, config: {} }, 1)).toMatchObject({ count: 0, kept: 0 });
  expect(seatsOf(run, match('random', 'nano@v000005', 'random', 'nano@v000000'))).toBe('random ×2, v5, Base');
});
