/** The story of a view: its chapters, and the letters and promises of a part of it. Pure. */

import { curveOf } from '../curve';
import { chapters, turningPoints, type Chapter, type Sentence } from './chapters';
import { countPromises, press, promiseLine, type Press } from './messages';
import { chooseLetters } from './selection';
import type { Letter } from './messages';
import { MATCH, type Game, type Names, type Told } from '../../boards/game';
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

/** Return the turn that is played at the moment told, or '' after the end of the match. */
export function turnOf({ narrated }: View): string {
  return narrated?.shell.outcome ? '' : (narrated?.shell.turn ?? '');
}

/** Return the letters of a part of the story. */
export function letters({ told }: Recorded, view: View, { first, last }: Part): Correspondence {
  const written = press(told, view.store.slots, [first, last], turnOf(view));
  return { ...written, chosen: chooseLetters(written.letters.toReversed(), view.outlook?.chances) };
}

/** Return whether the players of a match may write to each other. */
export const writes = ({ terms }: Game): boolean => terms.press && terms.noun === MATCH.noun;

/** What the story puts first of the last two chapters, and of the letters of this turn. */
export interface Foremost {
  readonly lines: readonly Sentence[];
  /** Those that are shown at once of each round that is over, in order. */
  readonly letters: readonly Letter[];
}

/** Return what the story puts first at the moment told. */
export function foremost(record: Recorded, view: View, game: Game, names: Names): Foremost {
  const last = chaptersOf(record, view, game, names).slice(-2);
  const lines = last.flatMap(({ headline, beats }) => [headline ?? [], beats.map((beat) => beat.lines)].flat(2));
  const beat = writes(game) ? last.at(-1)?.beats.at(-1) : undefined;
  const now = turnOf(view);
  const chosen = beat ? letters(record, view, beat).chosen : [];
  return { lines, letters: chosen.filter(({ turn, round }) => turn === now && round > 0) };
}

/** Return the sentence about the promises that were kept and broken in a part of the story, or ''. */
export function promises({ told }: Recorded, { first, last }: Part, names: Names): string {
  return promiseLine(countPromises(told, [first, last]), (seat) => names.seat(seat).name);
}
