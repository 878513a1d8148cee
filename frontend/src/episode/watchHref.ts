/** The address at which the lobby opens a match. */

import type { Game } from '../boards/game';
import { campaignHref, matchHref } from '../net/addresses';
import { CAMPAIGNS, type EpisodeSummary } from '../types.gen';

/** A showcase match hides nothing, and its secret letters are half of what there is to see: it opens with all secrets. */
export function watchHref(
  { episode_id: id, game, origin, reveal }: Pick<EpisodeSummary, 'episode_id' | 'game' | 'origin' | 'reveal'>,
  { terms }: Pick<Game, 'terms'>,
): string {
  if (CAMPAIGNS.includes(game)) return campaignHref(id);
  const open = origin === 'showcase' && reveal === 'live' && terms.press;
  return matchHref(id) + (open ? '?as=analyst' : '');
}
