/** A short replay: the few moments of a range of events that show what happened. */

import type { Board } from '../../boards/board';
import { loadBoard } from '../../boards/registry';
import { Moments } from '../../episode/record/moments';
import { minor } from '../../episode/show/parts';
import { EMPTY, reduce, type Numbered } from '../../episode/record/store';
import { api } from '../../net/api';
import type { EpisodeSummary, Snapshot } from '../../types.gen';

/** Number of moments of a clip at most, after the first. */
const MOST = 4;

/** A range of events of an episode, from the position before what happened. */
export interface Range {
  readonly id: string;
  readonly first: number;
  readonly last: number;
}

export interface Clip {
  readonly board: Board;
  readonly episode: EpisodeSummary;
  /** The board's states in order; at least one. */
  readonly shots: readonly unknown[];
}

/** Fetch a clip as a spectator. */
export async function loadClip({ id, first, last }: Range, signal: AbortSignal): Promise<Clip> {
  const [snapshot, page] = await Promise.all([
    api.snapshot(id, 'spectator', first, signal),
    last > first ? api.events(id, 'spectator', first + 1, last + 1, signal) : null,
  ]);
  const board = await loadBoard(snapshot.episode.game);
  return clipOf(board, snapshot, page?.frames ?? []);
}

/** Return the clip that begins at `snapshot` and goes on with `frames`: its first state, then those of its last steps. */
export function clipOf(board: Board, snapshot: Snapshot, frames: readonly Numbered[]): Clip {
  const store = reduce(reduce(EMPTY, { do: 'snapshot', snapshot }), { do: 'frames', frames });
  const moments = new Moments(board, snapshot.episode);
  const shots: unknown[] = [];
  for (let seq = snapshot.seq; seq <= store.head; seq++) {
    const moment = moments.at(store, seq);
    const slot = store.slots[seq];
    if (!moment) break;
    const step = moment.text !== '' && slot != null && !minor(board, slot);
    if (seq === snapshot.seq || ((step || seq === store.head) && moment.board !== shots.at(-1)))
      shots.push(moment.board);
  }
  return { board, episode: snapshot.episode, shots: [...shots.slice(0, 1), ...shots.slice(1).slice(-MOST)] };
}
