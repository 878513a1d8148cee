/** The state of an episode's game at one moment, without its history. */

import type { Game } from '../../boards/game';
import { api } from '../../net/api';
import { Moments } from './moments';
import { EMPTY, reduce } from './store';

/** Return the state of `game` after event `seq` of an episode, or null if the snapshot does not tell it. */
export async function stateAt<S>(game: Game<S>, id: string, seq: number): Promise<S | null> {
  const snapshot = await api.snapshot(id, 'spectator', seq);
  const store = reduce(EMPTY, { do: 'snapshot', snapshot });
  return new Moments(game, snapshot.episode).at(store, snapshot.seq)?.board ?? null;
}
