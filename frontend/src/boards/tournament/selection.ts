/** The matches behind a figure, which are listed when it is chosen. */

import { points, total, type Game } from './state';
import { called } from './words';

export interface Selection {
  readonly title: string;
  readonly note?: string;
  readonly has: (game: Game) => boolean;
}

export type Open = (selection: Selection) => void;

const plays = (game: Game, player: string): boolean => Object.values(game.players).includes(player);

const counted = (game: Game, player: string): boolean =>
  game.played?.counted?.some((seat) => game.players[seat] === player) ?? false;

export const ofPlayer = (player: string): Selection => ({
  title: `Matches of ${called(player)}`,
  has: (game) => plays(game, player),
});

/** The matches that count for the score of a player. */
export const countedFor = (player: string): Selection => ({
  title: `The score of ${called(player)}`,
  note: 'The matches that count: played to their end, every decision its own.',
  has: (game) => counted(game, player),
});

export const ofBoth = (a: string, b: string, note: string): Selection => ({
  title: `${called(a)} against ${called(b)}`,
  note,
  has: (game) => game.progress === 'done' && counted(game, a) && counted(game, b) && a !== b,
});

export const inSeat = (player: string, seat: string, name: string, note: string): Selection => ({
  title: `${called(player)} as ${name}`,
  note,
  has: (game) => game.players[seat] === player && (game.played?.counted?.includes(seat) ?? false),
});

/** The matches in which a player failed, or its fallback acted. */
export const faultsOf = (player: string): Selection => ({
  title: `Faults of ${called(player)}`,
  note: 'The matches with a fault of this player, or a decision of its fallback.',
  has: (game) => total(game, game.played?.faults, player) + total(game, game.played?.fallbacks, player) > 0,
});

export const withState = (title: string, ...states: Game['progress'][]): Selection => ({
  title,
  has: ({ progress }) => states.includes(progress),
});

export const ofEncounter = (games: readonly Game[], title: string): Selection => {
  const numbers = new Set(games.map(({ number }) => number));
  return { title, has: ({ number }) => numbers.has(number) };
};

/** Return whether a match has a result to show. */
export const hasResult = (game: Game): boolean =>
  Object.values(game.players).some((name) => points(game, name) !== null);
