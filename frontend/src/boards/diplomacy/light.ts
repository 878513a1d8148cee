/** What cards and lists need of the board of Diplomacy. */

import type { EpisodeSummary } from '../../types.gen';
import type { LightBoard } from '../board';
import Card from './Card.svelte';
import type { Position } from './events.gen';
import { HEIGHT, WIDTH } from './map/drawing';
import { turn } from './phases';
import { unfold } from './pieces/conflicts';
import { look } from './powers';
import { reduce } from './reduce';
import { advance, EMPTY, type State } from './state';
import { describe, markers } from './story/markers';
import { plainWords } from './story/orderText';
import { promiseOutcome } from './story/promises';

export const board: LightBoard<State> = {
  initial: (_episode: EpisodeSummary, whole: unknown) => (whole === null ? EMPTY : advance(EMPTY, whole as Position)),
  reduce,
  markers,
  describe,
  seat: look,
  turn,
  unfold,
  tally: ({ centers }, seat) => String(Object.values(centers).filter((owner) => owner === seat).length),
  minor: new Set(['OrdersSubmitted', 'PromiseKept', 'LieNoted']),
  promise: promiseOutcome,
  words: plainWords,
  score: (score) => (score > 1 ? String(Math.round(score)) : score.toFixed(2)),
  aspect: WIDTH / HEIGHT,
  card: Card,
};
