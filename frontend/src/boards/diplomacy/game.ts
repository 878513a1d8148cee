/** Diplomacy for cards and lists: its names, colours and sentences, without the board. */

import type { EpisodeSummary } from '../../types.gen';
import { MATCH, type Game, type Names } from '../game';
import type { GameEvent, Position } from './events.gen';
import { HEIGHT, WIDTH } from './map/drawing';
import { turn } from './phases';
import { unfold } from './pieces/conflicts';
import { look } from './powers';
import { reduce } from './reduce';
import { stripOf } from './standings';
import { advance, EMPTY, type State } from './state';
import { describe, markers } from './story/markers';
import { notesOf } from './story/notes';
import { plainWords } from './story/orderText';
import { promiseOutcome, promiseWords } from './story/promises';

const MINOR = new Set(['OrdersSubmitted', 'PromiseKept', 'LieNoted']);
const NAMES: Names = { seat: look, turn, words: plainWords, promise: promiseWords, plural: false };

export const game: Game<State> = {
  begin: (_episode: EpisodeSummary, whole: unknown) => (whole === null ? EMPTY : advance(EMPTY, whole as Position)),
  step: reduce,
  tell: (event: GameEvent) => ({
    text: describe(event),
    step: !MINOR.has(event.type),
    marks: markers(event),
    promise: promiseOutcome(event),
    notes: notesOf(event),
  }),
  names: () => NAMES,
  strip: stripOf,
  unfold,
  terms: MATCH,
  aspect: WIDTH / HEIGHT,
};
