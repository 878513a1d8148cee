/**
 * A recorded match: the public events of
 * `grandstand play diplomacy --players chaos,coordinated,random,dumbbot,territorial,coordinated,defensive --seed 3
 * --set last_year=1904 --out DIR`.
 */

import type { GameEvent } from '../events.gen';
import human from '../fixtures/human.jsonl?raw';
import recorded from '../fixtures/match.jsonl?raw';
import press from '../fixtures/press.jsonl?raw';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';

const read = (lines: string): GameEvent[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GameEvent);

export const EVENTS: readonly GameEvent[] = read(recorded);

/**
 * A match in which players keep and break promises, from an analyst's viewpoint: `python -m tests.support.players.promise_player`.
 */
export const EVENTS_WITH_PRESS: readonly GameEvent[] = read(press);

/** A recorded game between people, written by the same command. */
export const HUMAN_EVENTS: readonly GameEvent[] = read(human);

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
