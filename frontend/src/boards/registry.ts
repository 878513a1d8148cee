/**
 * The games with a board of their own, one line each; all others have the generic one. What cards and lists need of a
 * game, and what the page of a match adds, are two chunks where a game has both files.
 */

import { CAMPAIGNS } from '../types.gen';
import type { Board } from './board';
import type { Game } from './game';

// Only a game itself knows the type of its state.
/* eslint-disable @typescript-eslint/no-explicit-any */
interface Loads {
  board(): Promise<{ board: Board<any> }>;
  game?(): Promise<{ game: Game<any> }>;
}
/* eslint-enable @typescript-eslint/no-explicit-any */

const campaign = (game: string): Loads => ({
  board: async () => ({ board: (await import('./report')).campaign(game) }),
});

const GAMES: Record<string, Loads> = {
  ...Object.fromEntries(CAMPAIGNS.map((game) => [game, campaign(game)])),
  cricket: { board: () => import('./cricket'), game: () => import('./cricket/game') },
  diplomacy: { board: () => import('./diplomacy'), game: () => import('./diplomacy/game') },
};

const GENERIC: Loads = { board: () => import('./generic') };

const loadsOf = (game: string): Loads => (Object.hasOwn(GAMES, game) ? GAMES[game] : undefined) ?? GENERIC;

/** Return the board of `game`. */
export async function loadBoard(game: string): Promise<Board> {
  return (await loadsOf(game).board()).board;
}

/** Return what cards and lists need of `game`. */
export async function loadGame(game: string): Promise<Game> {
  const { game: load } = loadsOf(game);
  return load ? (await load()).game : loadBoard(game);
}

/** Start to load the board of the game that an episode's id begins with. An id without a known game has no effect. */
export function expectBoard(id: string): void {
  const game = Object.keys(GAMES).find((name) => id.startsWith(`${name}-`));
  if (game) loadBoard(game).catch(() => undefined);
}
