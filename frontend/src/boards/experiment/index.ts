/** The board of an experiment, which is an episode whose turns are completed runs. */

import { plain } from '../../lib/text';
import type { Board } from '../board';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import { colour } from './colours';
import Method from './panels/Method.svelte';
import Runs from './panels/Runs.svelte';
import { begin, reduce, type Experiment } from './state';
import { called, describe, line, markers, tally } from './words';

export const board: Board<Experiment> = {
  initial: begin,
  reduce,
  markers,
  describe,
  minor: new Set(['ExperimentRunChanged']),
  seat: (id, experiment) => ({
    name: called(id),
    short: called(id, 3),
    colour: experiment ? colour(experiment, id) : 'var(--ink-soft)',
  }),
  turn: (turn) => ({ title: `${plain(turn, 40)} runs completed`, tick: /^\d+/.exec(turn)?.[0] ?? '' }),
  score: String,
  tally,
  line,
  press: () => false,
  terms: { noun: 'experiment', before: 'Before the first completed run' },
  flows: true,
  aspect: 1.4,
  component: BoardView,
  panels: [
    { id: 'runs', title: 'Runs', component: Runs },
    { id: 'method', title: 'Method', component: Method },
  ],
  card: Card,
};
