/** The story of a view: its chapters, and the letters and promises of a part of it. Pure. */

import { curveOf } from '../curve';
import { chapters, turningPoints, type Chapter } from './chapters';
import { countPromises, press, promiseLine, type Press } from './messages';
import { chooseLetters } from './selection';
import type { Letter } from './messages';
import type { Game, Names, Told } from '../../boards/game';
import type { Moment } from '../record/moments';
import type { View } from '../view';

/** The record of which a story is told. */
export interface Recorded {
  at(seq: number): Moment<unknown> | null;
  told(seq: number): readonly Told[];
}

const TURNING = 3;
/** Events whose sentences the story leaves out: titles of turns, messages, and the setting up of the match. */
const QUIET: ReadonlySet<string> = new Set([
  'TurnStarted',
  'MessageSent',
  'NegotiationHeld',
  'PrivateBatch',
  'EpisodeCreated',
  'SeedSet',
]);

/** Return the chapters up to the moment told, in order. */
export function chaptersOf(record: Recorded, view: View, game: Game, names: Names): Chapter[] {
  const { marks, steps, ticks } = view.landmarks;
  const sources = {
    story: view.story,
    ticks,
    marks,
    steps: steps.filter((seq) => !QUIET.has(view.store.slots[seq]?.type ?? 'PrivateBatch')),
    text: (seq: number) => record.at(seq)?.text ?? null,
    turning: turningPoints(curveOf(game, view), TURNING),
  };
  return chapters(names, sources, view.narrated?.seq ?? -1);
}

/** The letters of a part of the story. */
export interface Correspondence extends Press {
  /** Those that are shown at once, in order. */
  readonly chosen: readonly Letter[];
}

type Part = Pick<Chapter, 'first' | 'last'>;

/** Return the letters of a part of the story. */
export function letters({ told }: Recorded, view: View, { first, last }: Part): Correspondence {
  const turn = view.narrated?.shell.outcome ? '' : (view.narrated?.shell.turn ?? '');
  const written = press(told, view.store.slots, [first, last], turn);
  return { ...written, chosen: chooseLetters(written.letters.toReversed(), view.outlook?.chances) };
}

/** Return the sentence about the promises that were kept and broken in a part of the story, or ''. */
export function promises({ told }: Recorded, { first, last }: Part, names: Names): string {
  return promiseLine(countPromises(told, [first, last]), (seat) => names.seat(seat).name);
}
