/**
 * The boards of the games, one line each. A board is a chunk that is loaded when a match of its game is first shown;
 * `light` is the part of it that cards and lists need, where that is a chunk of its own.
 */

import type { Board, LightBoard } from './board';

// Only a board itself knows the type of its state.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Load = () => Promise<{ board: Board<any> }>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type LoadLight = () => Promise<{ board: LightBoard<any> }>;

const BOARDS: Record<string, Load> = {
  cricket: () => import('./cricket'),
  diplomacy: () => import('./diplomacy'),
  experiment: () => import('./experiment'),
  tournament: () => import('./tournament'),
  training: () => import('./training'),
};

const LIGHT: Record<string, LoadLight> = {
  cricket: () => import('./cricket/light'),
  diplomacy: () => import('./diplomacy/light'),
};

const generic: Load = () => import('./generic');

/** Return the board of `game`, or the generic one if the game has none. */
export async function loadBoard(game: string): Promise<Board> {
  const load = Object.hasOwn(BOARDS, game) ? BOARDS[game] : undefined;
  return (await (load ?? generic)()).board;
}

/** Return what cards and lists need of the board of `game`. */
export async function loadLightBoard(game: string): Promise<LightBoard> {
  const load = Object.hasOwn(LIGHT, game) ? LIGHT[game] : undefined;
  return load ? (await load()).board : loadBoard(game);
}

/** Start to load the board of the game that an episode's id begins with. An id without a known game has no effect. */
export function expectBoard(id: string): void {
  const game = Object.keys(BOARDS).find((name) => id.startsWith(`${name}-`));
  if (game) loadBoard(game).catch(() => undefined);
}
