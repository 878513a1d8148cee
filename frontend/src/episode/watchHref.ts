/** The viewpoint at which a match opens. */

import type { Game } from '../boards/game';
import { campaignHref, matchHref } from '../net/addresses';
import { CAMPAIGNS, type EpisodeSummary } from '../types.gen';

type Opened = Pick<EpisodeSummary, 'origin' | 'reveal'>;

/** Return whether a match is shown with all secrets unless its address says otherwise: a showcase match hides nothing, and
 *  its secret letters are half of what there is to see. */
export const opensToAll = ({ origin, reveal }: Opened, { terms }: Pick<Game, 'terms'>): boolean =>
  origin === 'showcase' && reveal === 'live' && terms.press;

/** Return the address at which the lobby opens a match. */
export function watchHref(
  episode: Pick<EpisodeSummary, 'episode_id' | 'game'> & Opened,
  of: Pick<Game, 'terms'>,
): string {
  if (CAMPAIGNS.includes(episode.game)) return campaignHref(episode.episode_id);
  return matchHref(episode.episode_id) + (opensToAll(episode, of) ? '?as=analyst' : '');
}
