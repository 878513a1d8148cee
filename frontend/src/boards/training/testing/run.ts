/** Training runs for tests. */

import type { EpisodeSummary, Event } from '../../../types.gen';
import { begin, reduce, type Run } from '../state';

export const episode = {
  options: {
    run: { name: 'nano', steps: 30, eval_every: 5 },
    policy: { dtype: 'float32' },
    optimiser: { max_logprob_gap: 1e-4 },
  },
} as unknown as EpisodeSummary;

export function event(seq: number, type: string, data: Event['data'] = {}): Event {
  return { episode_id: 'training-1', epoch: 1, seq, at: 1000 + 5 * seq, type, audience: 'public', data };
}

/** Return the event of step `step`, with number `step + 1` by default. */
export function stepped(step: number, metrics: Record<string, number> = {}, seq = step + 1): Event {
  return event(seq, 'TrainStepped', { step, version: step, metrics });
}

/** Return a run of `count` steps with these metrics. */
export function running(count: number, metrics: (step: number) => Record<string, number> = () => ({})): Run {
  const events = Array.from({ length: count }, (_, n) => stepped(n + 1, metrics(n + 1)));
  return [event(0, 'EpisodeCreated'), event(1, 'EpisodeStarted'), ...events].reduce(reduce, begin(episode));
}
