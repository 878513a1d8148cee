/** The board of a campaign: a tournament, a training run or an experiment. It is its report. */

import { NO_REPORT, reportOf, step } from '../../report/state';
import { hue } from '../../lib/chart/hue';
import { plain } from '../../lib/text';
import { ownerColour } from '../../report/plot';
import type { CoreEvent } from '../../types.gen';
import type { Board } from '../board';
import { PLAIN, type Marker } from '../game';
import Card from './Card.svelte';
import { kindOf, type Campaign } from './kinds';
import View from './View.svelte';

const LONGEST = 300;

/** Return the board of the campaigns of the kind `game`. */
export function campaign(game: string): Board<Campaign> {
  const kind = kindOf(game);
  return {
    begin: () => ({ ...NO_REPORT, ended: false }),
    step: (state, raw) => {
      const event = raw as CoreEvent;
      if (event.type === 'ReportUpdated') return { ...step(state, event.data), ended: state.ended };
      return event.type === 'EpisodeEnded' ? { ...state, ended: true } : state;
    },
    tell: (raw) => {
      const event = raw as CoreEvent;
      // The next report contains what the campaign's other events say.
      if (event.type !== 'ReportUpdated') return { text: '', step: event.type.startsWith('Episode'), marks: [] };
      const text = plain(event.data.text, LONGEST);
      const marks: Marker[] = event.data.mark ? [{ kind: 'note', label: text, weight: 2 }] : [];
      return { text, step: text !== '', marks };
    },
    names: (state) => ({
      seat: (id) => ({
        name: plain(id, 40),
        short: plain(id.slice(0, 3).toUpperCase(), 3),
        colour: state?.bare?.owners.includes(id) ? ownerColour(state.bare.owners, id) : hue(0),
      }),
      turn: (turn) => {
        const title = kind.turn(plain(turn, 40));
        return { title, tick: /^\d+/.exec(turn)?.[0] ?? '', chapter: title };
      },
      ...PLAIN,
    }),
    strip: () => ({ count: '' }),
    terms: {
      noun: kind.noun,
      before: 'Before the first result',
      press: false,
      steered: kind.steered,
      line: (state) => plain(reportOf(state)?.headline ?? '', LONGEST),
    },
    aspect: 1.4,
    view: View,
    panels: [],
    card: Card,
  };
}
