/**
 * A recorded match: the public events of `grandstand play cricket --players heuristic,cricsheet --seed 12 --set overs=6
 * --set "rain=2@3->5" --out DIR`, less TurnStarted. It has rain, no-balls and free hits, a stumping, a run out, a tie and
 * a Super Over.
 */

import type { EpisodeSummary } from '../../../types.gen';
import type { GameEvent, PublicState } from '../events.gen';
import recorded from '../fixtures/match.jsonl?raw';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';

export const EVENTS: readonly GameEvent[] = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GameEvent);

export const SUMMARY = { episode_id: 'cricket-12', seats: [], options: {} } as unknown as EpisodeSummary;

/** The state before each event, and after the last. */
export const STATES: readonly State[] = EVENTS.reduce(
  (states: State[], event) => [...states, reduce(states.at(-1) ?? EMPTY, event)],
  [EMPTY],
);

/** Every event with the states before and after it. */
export const STEPS = EVENTS.map((event, index) => ({
  event,
  before: STATES[index] as State,
  after: STATES[index + 1] as State,
}));

export const LAST = STATES.at(-1) as State;

export const BALLS = STEPS.flatMap((step) =>
  step.event.type === 'BallBowled' ? [{ ...step, ball: step.event.data }] : [],
);

/** Return the whole position of an event, or null. */
export const wholeOf = ({ data }: GameEvent): PublicState | null => ('state' in data && data.state) || null;

/** Return an event that follows the match. */
export function next(type: string, data: object): GameEvent {
  return {
    episode_id: 'cricket-12',
    epoch: 0,
    seq: 1000,
    at: 0,
    type,
    audience: 'public',
    data: { ...data },
  } as GameEvent;
}
