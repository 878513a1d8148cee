/**
 * A recorded match: the public events of
 * `grandstand play diplomacy --players chaos,coordinated,random,dumbbot,territorial,coordinated,defensive --seed 3
 * --set last_year=1904 --out DIR`.
 */

import type { Event } from '../../../types.gen';
import recorded from '../fixtures/match.jsonl?raw';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';

export const EVENTS: readonly Event[] = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Event);

/** The board before each event, and after the last. */
export const STATES: readonly State[] = EVENTS.reduce(
  (states: State[], event) => [...states, reduce(states.at(-1) ?? EMPTY, event)],
  [EMPTY],
);

/** Every event with the board before and after it. */
export const STEPS = EVENTS.map((event, index) => ({
  event,
  before: STATES[index] as State,
  after: STATES[index + 1] as State,
}));
