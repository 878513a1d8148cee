/** The board of an experiment, which is an episode whose turns are completed runs. */

import { plain } from '../../lib/text';
import type { Board } from '../board';
import { PLAIN } from '../game';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import { colour } from './colours';
import Method from './panels/Method.svelte';
import Runs from './panels/Runs.svelte';
import { begin, reduce, type Experiment } from './state';
import { called, describe, line, markers, tally } from './words';

export const board: Board<Experiment> = {
  begin,
  step: reduce,
  tell: (event, before) => ({
    text: describe(event, before),
    step: event.type !== 'ExperimentRunChanged',
    marks: markers(event, before),
  }),
  names: (experiment) => ({
    seat: (id) => ({
      name: called(id),
      short: called(id, 3),
      colour: experiment ? colour(experiment, id) : 'var(--ink-soft)',
    }),
    turn: (turn) => {
      const title = `${plain(turn, 40)} runs completed`;
      return { title, tick: /^\d+/.exec(turn)?.[0] ?? '', chapter: title };
    },
    ...PLAIN,
  }),
  strip: (experiment, arm) => ({ count: experiment ? tally(experiment, arm) : '' }),
  terms: { noun: 'experiment', before: 'Before the first completed run', press: false, steered: false, line },
  flows: true,
  aspect: 1.4,
  view: BoardView,
  panels: [
    { id: 'runs', title: 'Runs', component: Runs },
    { id: 'method', title: 'Method', component: Method },
  ],
  card: Card,
};
