/** The published matches of a training run, and the decisions in them that the run learns from. */

import { loadGame } from '../boards/registry';
import { api } from '../net/api';
import { momentHref } from '../net/router.svelte';
import type { DecisionLink, TrainingMatches } from '../report/matches';
import type { EpisodeSummary } from '../types.gen';

/** Number of matches that are listed. */
const LISTED = 60;

/** Return access to the published matches of the run whose episode is `run`. */
export function trainingMatches(run: string): TrainingMatches {
  return {
    async list({ first, last, player }) {
      const { episodes, total } = await api.episodes({
        limit: LISTED,
        steps: { run, first, last },
        ...(player === undefined ? {} : { player }),
      });
      return { episodes, total };
    },
    decisions: decisionLinks,
  };
}

/** Return the recorded decisions of a match, with their seats and turns in the words of its game. */
export async function decisionLinks({ episode_id: id, game: name }: EpisodeSummary): Promise<DecisionLink[]> {
  const [game, decisions] = await Promise.all([loadGame(name), api.decisions(id)]);
  const names = game.names();
  return decisions.map((decision) => ({
    ...decision,
    seat: names.seat(decision.seat).name,
    turn: names.turn(decision.turn).title,
    href: momentHref(id, decision.seq),
  }));
}
