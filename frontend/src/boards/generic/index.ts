/** The board of every game without its own: its picture, or its whole state as a tree. */

import { capital } from '../../lib/text';
import type { Board } from '../board';
import { MATCH, PLAIN } from '../game';
import { MOVES } from '../picture/motion';
import { seatLook } from '../picture/palette';
import { begin, sentence, step, type GenericState } from './state';
import View from './View.svelte';

export const board: Board<GenericState> = {
  begin,
  step,
  tell: (event) => {
    const text = sentence(event);
    return { text, step: text !== '', marks: [] };
  },
  names: (state) => ({
    seat: (id) => seatLook(id, state?.seats ?? []),
    turn: (turn) => ({ title: capital(turn), tick: turn, chapter: capital(turn) }),
    ...PLAIN,
  }),
  strip: (_, __, score) => ({ count: score === undefined ? '–' : String(Math.round(score * 100) / 100) }),
  unfold: (before, after) => ({ picture: before.picture === after.picture ? 0 : MOVES, score: 0 }),
  terms: MATCH,
  aspect: 4 / 3,
  view: View,
  panels: [],
};
