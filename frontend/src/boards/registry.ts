/** The boards, one line a game; each is a chunk that is fetched when a match of that game is first shown. */

import type { Board } from './board';

// Each board has a state of its own, which only it looks into.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Load = () => Promise<{ board: Board<any> }>;

const BOARDS: Record<string, Load> = {
  cricket: () => import('./cricket'),
  diplomacy: () => import('./diplomacy'),
  training: () => import('./training'),
};

const generic: Load = () => import('./generic');

/** The board of `game`, or the generic one where the game has none. */
export async function loadBoard(game: string): Promise<Board> {
  const load = Object.hasOwn(BOARDS, game) ? BOARDS[game] : undefined;
  return (await (load ?? generic)()).board;
}

/** Begin to fetch the board that an episode's id hints at: ids begin with the game's name. A wrong guess costs nothing. */
export function expectBoard(id: string): void {
  const game = Object.keys(BOARDS).find((name) => id.startsWith(`${name}-`));
  if (game) loadBoard(game).catch(() => undefined);
}
