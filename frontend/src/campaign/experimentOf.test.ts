import { expect, test, vi } from 'vitest';

import { NO_REPORT, step, type ReportState } from '../report/state';
import { report, updated } from '../report/testing/report';
import { experimentOf } from './experimentOf';

/** The states of two experiments; the report of the second one leads to the episode `cup-1`. */
const server = vi.hoisted(() => ({ states: new Map<string, ReportState | null>() }));
server.states.set('experiment-new', NO_REPORT);
server.states.set('experiment-over', step(NO_REPORT, updated(report.sections)));

vi.mock('../net/api', () => ({
  api: {
    episodes: () =>
      Promise.resolve({
        episodes: [...server.states.keys()].map((id) => ({ episode_id: id, last_seq: 3, title: `About ${id}` })),
      }),
  },
}));
vi.mock('../episode/record/stateAt', () => ({
  stateAt: (_: unknown, id: string) => Promise.resolve(server.states.get(id)),
}));

test('a training run belongs to the experiment whose report leads to it', async () => {
  expect(await experimentOf('cup-1')).toEqual({
    title: 'About experiment-over',
    href: '/campaign/experiment-over',
  });
});

test('a run that no report leads to belongs to none', async () => {
  expect(await experimentOf('cup-9')).toBeNull();
});
