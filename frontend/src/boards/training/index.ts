/** The board of a training run, which is an episode whose turns are gradient steps. */

import type { Board } from '../board';
import { PLAIN } from '../game';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import { MAIN } from './colours';
import Game from './panels/Game.svelte';
import Matches from './panels/Matches.svelte';
import Numbers from './panels/Numbers.svelte';
import Opponents from './panels/Opponents.svelte';
import Setup from './panels/Setup.svelte';
import Shares from './panels/Shares.svelte';
import Time from './panels/Time.svelte';
import { begin, reduce, type Run } from './state';
import { describe, line, markers, tally } from './sentences';

export const board: Board<Run> = {
  begin,
  step: reduce,
  tell: (event, before) => ({
    text: describe(event, before),
    step: event.type !== 'LeagueRated',
    marks: markers(event, before),
  }),
  names: () => ({
    seat: (id) => ({ name: id === 'policy' ? 'Policy' : id, short: 'POL', colour: MAIN }),
    turn: (turn) => ({ title: `Step ${turn}`, tick: turn, chapter: `Step ${turn}` }),
    ...PLAIN,
  }),
  // The board begins with the gain and its interval.
  strip: (run) => ({ count: run ? tally(run) : '', shown: '' }),
  terms: { noun: 'run', before: 'Before the first step', press: false, steered: false, line },
  flows: true,
  aspect: 1.4,
  view: BoardView,
  panels: [
    { id: 'shares', title: 'Reward components', component: Shares },
    { id: 'matches', title: 'Matches', component: Matches },
    { id: 'opponents', title: 'Opponents', component: Opponents },
    { id: 'game', title: 'Game', component: Game },
    { id: 'time', title: 'Time', component: Time },
    { id: 'numbers', title: 'Numbers', component: Numbers },
    { id: 'setup', title: 'Setup', component: Setup },
  ],
  card: Card,
};
