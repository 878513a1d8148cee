/** The experiment that a training run is a run of. */

import { campaign } from '../boards/report';
import { stateAt } from '../episode/record/stateAt';
import { plain } from '../lib/text';
import { campaignHref } from '../net/addresses';
import { api } from '../net/api';
import { reportOf } from '../report/state';
import type { Report } from '../types.gen';

export interface Experiment {
  readonly title: string;
  readonly href: string;
}

/** Most experiments that are searched, the newest first. */
const SEARCHED = 20;

/** Return the experiment whose report leads to the training run; null if no recent one does. */
export async function experimentOf(run: string): Promise<Experiment | null> {
  const { episodes } = await api.episodes({ game: 'experiment', limit: SEARCHED });
  for (const { episode_id: id, last_seq: seq, title } of episodes) {
    const state = await stateAt(campaign('experiment'), id, seq);
    const report = state && reportOf(state);
    if (report && leadsTo(report, run)) return { title: plain(title, 120), href: campaignHref(id) };
  }
  return null;
}

/** Return whether a table of the report has a link to the episode. */
export const leadsTo = ({ sections }: Report, episode: string): boolean =>
  sections.some(
    ({ body }) =>
      body.kind === 'table' && body.rows.some(({ cells }) => cells.some(({ link }) => link?.episode_id === episode)),
  );
