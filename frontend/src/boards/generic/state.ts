/** The state of a game without a board of its own, from its events. */

import { plain } from '../../lib/text';
import type { EpisodeSummary, Event } from '../../types.gen';
import { merged, pictureOf } from '../picture/merge';
import type { Picture, PictureEvent } from '../picture/picture.gen';

export interface GenericState {
  /** The picture, with what this viewer sees of the seats; null if the game draws none. */
  readonly picture: Picture | null;
  /** The `state` field of the last event that has one, or undefined. */
  readonly whole: unknown;
  readonly last: Event | null;
  readonly seats: readonly string[];
}

const WITHOUT_STATE = new Set(['ActionChosen', 'TurnStarted']);
const LONGEST = 60;

export const begin = (episode: EpisodeSummary, whole: unknown): GenericState => ({
  picture: pictureOf(whole),
  whole: whole ?? undefined,
  last: null,
  seats: episode.seats.map(({ seat }) => seat),
});

/** Return the state after `event`. A picture that is shown takes the place of the last one and of what seats saw. */
export function step(state: GenericState, event: Event): GenericState {
  if (WITHOUT_STATE.has(event.type)) return state;
  const drawn = event as PictureEvent;
  if (drawn.type === 'PictureSeen')
    return state.picture ? { ...state, picture: merged(state.picture, drawn.data) } : state;
  const picture = drawn.type === 'PictureShown' ? pictureOf(drawn.data.state) : null;
  if (picture) return { ...state, picture, whole: picture };
  return { ...state, whole: event.data['state'] ?? state.whole, last: event };
}

/** Return the type of an event in words: `BallBowled` -> `Ball bowled`. */
export function words(type: string): string {
  const spaced = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Return an event in words, with its words and numbers in order: `Move made: first, bet`; '' for pictures. */
export function sentence({ type, data }: Event): string {
  if (type === 'PictureShown' || type === 'PictureSeen') return '';
  const fields = Object.values(data).filter(
    (value) => typeof value === 'number' || (value && typeof value === 'string'),
  );
  return [words(type), fields.map((value) => plain(String(value), LONGEST)).join(', ')].filter(Boolean).join(': ');
}
