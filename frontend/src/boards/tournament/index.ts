/** The board of a tournament, which is an episode whose turns are rounds. */

import { plain } from '../../lib/text';
import type { Board } from '../board';
import BoardView from './Board.svelte';
import Card from './Card.svelte';
import { colour } from './colours';
import Cost from './panels/Cost.svelte';
import Plan from './panels/Plan.svelte';
import Schedule from './panels/Schedule.svelte';
import Seats from './panels/Seats.svelte';
import { begin, reduce, type Tournament } from './state';
import { called, describe, line, markers, rankText, score } from './words';

const standing = (cup: Tournament, id: string) => cup.standings?.table.find(({ player }) => player === id);

export const board: Board<Tournament> = {
  initial: begin,
  reduce,
  markers,
  describe,
  minor: new Set(['PairingBegan']),
  seat: (id, cup) => ({
    name: called(id),
    short: id.slice(0, 3).toUpperCase(),
    colour: cup ? colour(cup, id) : 'var(--ink-soft)',
  }),
  turn: (turn) => ({ title: `${plain(turn, 40)} played`, tick: /^\d+/.exec(turn)?.[0] ?? '' }),
  score,
  tally: (cup, id) => score(standing(cup, id)?.score.mean),
  strip: (cup, id) => (cup.standings && standing(cup, id)?.score.mean != null ? rankText(cup.standings, id) : ''),
  line,
  press: () => false,
  terms: { noun: 'tournament', before: 'Before the first match', steered: true },
  flows: true,
  aspect: 1.4,
  component: BoardView,
  panels: [
    { id: 'schedule', title: 'Schedule', component: Schedule },
    { id: 'seats', title: 'Seats', component: Seats },
    { id: 'cost', title: 'Cost', component: Cost },
    { id: 'plan', title: 'Plan', component: Plan },
  ],
  card: Card,
};
