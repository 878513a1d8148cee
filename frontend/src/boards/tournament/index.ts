/** The board of a tournament, which is an episode whose turns are rounds. */

import { plain } from '../../lib/text';
import type { Board } from '../board';
import { PLAIN } from '../game';
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
  begin,
  step: reduce,
  tell: (event, before) => ({
    text: describe(event, before),
    step: event.type !== 'PairingBegan',
    marks: markers(event, before),
  }),
  names: (cup) => ({
    seat: (id) => ({
      name: called(id),
      short: id.slice(0, 3).toUpperCase(),
      colour: cup ? colour(cup, id) : 'var(--ink-soft)',
    }),
    turn: (turn) => {
      const title = `${plain(turn, 40)} played`;
      return { title, tick: /^\d+/.exec(turn)?.[0] ?? '', chapter: title };
    },
    ...PLAIN,
  }),
  strip: (cup, id) => ({
    count: cup ? score(standing(cup, id)?.score.mean) : '',
    shown: cup?.standings && standing(cup, id)?.score.mean != null ? rankText(cup.standings, id) : '',
  }),
  terms: { noun: 'tournament', before: 'Before the first match', press: false, steered: true, line },
  flows: true,
  aspect: 1.4,
  view: BoardView,
  panels: [
    { id: 'schedule', title: 'Schedule', component: Schedule },
    { id: 'seats', title: 'Seats', component: Seats },
    { id: 'cost', title: 'Cost', component: Cost },
    { id: 'plan', title: 'Plan', component: Plan },
  ],
  card: Card,
};
