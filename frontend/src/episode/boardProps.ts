import type { BoardProps } from '../boards/game';
import type { EpisodeSummary } from '../types.gen';
import type { View } from './watch.svelte';

/** Return the properties of a board that shows the moment of `view`; `moves` says whether motion is allowed. */
export const boardProps = (
  view: View,
  moment: NonNullable<View['moment']>,
  episode: EpisodeSummary,
  moves: boolean,
): BoardProps<unknown> => ({
  episode,
  state: moment.board,
  scored: view.scored?.board ?? moment.board,
  narrated: view.narrated?.board ?? moment.board,
  rate: view.rate,
  previous: view.previous,
  animate: view.previous !== null && moves,
});
