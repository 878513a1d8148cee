/** The look of players: one colour and one kind of line for each. */

import { hue } from '../../../lib/chart/hue';
import type { LeagueRated, RatedPlayer } from '../../../types.gen';
import { MAIN, SOFT } from '../colours';
import { isPresent } from './league';

export type Line = 'present' | 'landmark' | 'version' | 'bot' | 'base' | 'peer';

/** Return the kind of line of a player. */
export function lineOf(player: RatedPlayer, rated: LeagueRated): Line {
  if (isPresent(player, rated)) return 'present';
  if (player.kind !== 'policy') return player.kind;
  return player.landmark ? 'landmark' : 'version';
}

/** Return the colour of each player by label: one hue for each bot, one for the policy, grey for its past versions. */
export function colours(players: readonly RatedPlayer[]): ReadonlyMap<string, string> {
  const bots = players
    .filter(({ kind }) => kind === 'bot')
    .map(({ label }) => label)
    .sort();
  // The first hue is that of the policy.
  return new Map(
    players.map(({ label, kind }) => [
      label,
      kind === 'bot' ? hue(bots.indexOf(label) + 1) : kind === 'policy' ? MAIN : SOFT,
    ]),
  );
}
