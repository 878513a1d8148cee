/** The time in which the picture of a ball unfolds: the run-up and the flight, then the score, then the words. */

import type { Unfolding } from '../../game';
import { flight } from '../ground/flight';
import { landsAfter } from '../ground/motion';
import { keeperTo } from '../ground/places';
import type { State } from '../state';
import { pictured, playerOf } from '../vocabulary';

/** Milliseconds from the score to the words and the chances. */
const WORDS = 700;

export function unfold(before: State, after: State): Unfolding {
  const { ball, bowler } = after.scene;
  if (!ball || ball === before.scene.ball) return { picture: 0, score: 0 };
  if (!pictured(ball)) return { picture: 0, score: WORDS };
  const keeper = keeperTo(playerOf(after, bowler)?.style, after.now.preset);
  return { picture: landsAfter(flight(ball, keeper)), score: WORDS };
}
