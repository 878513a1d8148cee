/** The match that follows one that is over. Pure. */

import type { EpisodeList, EpisodeSummary } from '../types.gen';

/**
 * Return the live match to go on with after `last`: the next showcase of its game, or else the most exciting other one
 * that does not stand still; null if there is none.
 */
export function following(last: EpisodeSummary, { episodes, lanes }: EpisodeList): EpisodeSummary | null {
  const open = episodes.filter(
    ({ episode_id: id, origin, paused, status }) =>
      id !== last.episode_id && origin === 'showcase' && status === 'live' && !paused,
  );
  const lane = lanes.find(({ game }) => game === last.game);
  const excitement = ({ outlook }: EpisodeSummary): number => outlook?.excitement ?? 0;
  return (
    open.find(({ episode_id: id }) => id === lane?.episode_id) ??
    open.sort((a, b) => excitement(b) - excitement(a))[0] ??
    null
  );
}
