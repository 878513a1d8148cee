/** The board of every game without its own: its whole state as a tree, and the last event. */

import type { EpisodeSummary } from '../../types.gen';
import type { Board, Marker } from '../board';
import Card from './Card.svelte';
import Tree from './Tree.svelte';
import { words, type GenericState } from './state';

const WITHOUT_STATE = new Set(['ActionChosen', 'TurnStarted']);

/** Return a colour for a seat: hues far apart, with the same lightness, readable in both themes. */
function hue(id: string): string {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  const angle = Math.round((hash * 137.508) % 360);
  return `light-dark(oklch(52% 0.13 ${angle}), oklch(74% 0.12 ${angle}))`;
}

export const board: Board<GenericState> = {
  initial: (episode: EpisodeSummary, whole: unknown) => ({
    whole: whole ?? undefined,
    last: null,
    seats: episode.seats.map((seat) => seat.seat),
  }),
  reduce: (state, event) =>
    WITHOUT_STATE.has(event.type) ? state : { ...state, whole: event.data['state'] ?? state.whole, last: event },
  markers: (): Marker[] => [],
  describe: (event) => words(event.type),
  seat: (id) => ({ name: id, short: id.slice(0, 3).toUpperCase(), colour: hue(id) }),
  turn: (turn) => ({ title: turn, tick: turn }),
  score: (score) => String(Math.round(score * 100) / 100),
  aspect: 4 / 3,
  component: Tree,
  panels: [],
  card: Card,
};
