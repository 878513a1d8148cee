/** The place of a training run in the experiment that it is a run of. */

import type { ExperimentPlace } from '../boards/game';
import { board } from '../boards/experiment';
import { runs, type Experiment } from '../boards/experiment/state';
import { stateAt } from '../episode/record/stateAt';
import { plain } from '../lib/text';
import { api } from '../net/api';
import { matchHref } from '../net/router.svelte';
import type { EpisodeSummary } from '../types.gen';

/** Most experiments that are searched, the newest first. */
const SEARCHED = 20;

/** Return the place of the training run whose episode is `training`; null if no recent experiment has it. */
export async function experimentPlace(training: string): Promise<ExperimentPlace | null> {
  const { episodes } = await api.episodes({ game: 'experiment', limit: SEARCHED });
  for (const episode of episodes) {
    const experiment = await stateAt(board, episode.episode_id, episode.last_seq);
    const place = experiment && placeIn(experiment, episode, training);
    if (place) return place;
  }
  return null;
}

/** Return the place of a training run in `experiment`, or null if it is none of its runs. */
export function placeIn(
  experiment: Experiment,
  { episode_id: id, title }: EpisodeSummary,
  training: string,
): ExperimentPlace | null {
  const run = runs(experiment).find(({ episode_id: own }) => own === training);
  const arm = experiment.plan?.arms.find((candidate) => candidate.arm === run?.arm);
  if (!run || !arm) return null;
  const letter = plain(arm.arm, 20);
  const name = arm.name === arm.arm ? `arm ${letter}` : `${letter}: ${plain(arm.name, 60)}`;
  return {
    name: `${name}, seed ${run.seed}`,
    experiment: plain(title, 120),
    href: matchHref(id),
    baseline: arm.arm === experiment.plan?.baseline,
    changes: arm.changes.map(({ key, was, now }) => ({
      key: plain(key, 80),
      was: plain(was, 80),
      now: plain(now, 80),
    })),
    parent: plain(arm.starts_from, 20),
  };
}
