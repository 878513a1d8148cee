/**
 * A recorded match: the public events of `grandstand play cricket --players heuristic,cricsheet --seed 12 --set overs=6
 * --set "rain=2@3->5" --out DIR`, less TurnStarted. It has rain, no-balls and free hits, a stumping, a run out, a tie and
 * a Super Over.
 */

import type { EpisodeSummary, Event } from '../../../types.gen';
import type { BallBowled } from '../events.gen';
import recorded from '../fixtures/match.jsonl?raw';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';
import type { Whole } from '../whole';

export const EVENTS: readonly Event[] = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Event);

export const SUMMARY = { episode_id: 'cricket-12', seats: [], options: {} } as unknown as EpisodeSummary;

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

export const LAST = STATES.at(-1) as State;

export const BALLS = STEPS.filter(({ event }) => event.type === 'BallBowled').map((step) => ({
  ...step,
  ball: step.event.data as unknown as BallBowled,
}));

/** The whole position that an event gives; null where it gives none. */
export const wholeOf = (event: Event): Whole | null => (event.data['state'] as Whole | undefined) ?? null;

/** `type` with `data` as the event that follows the match. */
export function next(type: string, data: object): Event {
  return { episode_id: 'cricket-12', epoch: 0, seq: 1000, at: 0, type, audience: 'public', data: { ...data } };
}
