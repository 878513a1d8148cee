/** A short replay: the few moments of an excerpt that show what happened. Pure. */

import type { Game } from '../../boards/game';
import { narrate } from '../../episode/story/narrate';
import type { Event, Excerpt } from '../../types.gen';

/** Number of moments of a clip at most, after the first. */
const MOST = 4;

/** Return the state of `game` at the end of an excerpt. */
export function stateOf<S>(game: Game<S>, excerpt: Excerpt): S {
  const start = game.begin(excerpt.episode, excerpt.state ?? null);
  return excerpt.events.reduce((state, event) => after(game, state, event), start);
}

/** Return the state after `event`: the same one, if the game cannot read it. */
function after<S>(game: Game<S>, state: S, event: Event): S {
  try {
    return game.step(state, event);
  } catch {
    return state;
  }
}

/** Return the state of `game` at the event `first` of an excerpt, and those after its last steps; at least one. */
export function shotsOf<S>(game: Game<S>, excerpt: Excerpt, first: number): S[] {
  const before = excerpt.events.filter(({ seq }) => seq <= first);
  let state = stateOf(game, { ...excerpt, events: before });
  const shots = [state];
  for (const event of excerpt.events.slice(before.length)) {
    const { text, step } = narrate(game, event, state);
    state = after(game, state, event);
    if (text && step && state !== shots.at(-1)) shots.push(state);
  }
  if (state !== shots.at(-1)) shots.push(state);
  return [...shots.slice(0, 1), ...shots.slice(1).slice(-MOST)];
}
