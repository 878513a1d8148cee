/** The flight of a ball: from the hand to the pitch, to the bat, and to the end that the event gives. */

import type { BallBowled } from '../events.gen';
import { PITCH, polar, ropeAt, type Place } from './places';
import { boundary, wicketOf, type PicturedBall } from '../vocabulary';

/** Metres: leg side, up the pitch, height. */
export type Spot = readonly [leg: number, up: number, height: number];

export interface Flight {
  /** From the hand to the bat, the stumps or the keeper. */
  readonly delivery: readonly Spot[];
  /** The point where the ball pitched; null for a full toss. */
  readonly bounce: Spot | null;
  /** The points after the bat; empty if they are not known. */
  readonly struck: readonly Spot[];
  readonly end: Spot;
  /** Milliseconds of the two parts. */
  readonly time: readonly [delivery: number, struck: number];
}

const HAND: Spot = [0, PITCH - 1, 2.1];
const BAT = 1.1;
/** Milliseconds times km/h of a delivery, and of a hit ball: slower than in reality. */
const DELIVERY = 50_000;
const HIT = 250;
/** The speed in km/h of a ball whose speed is not known. */
const USUAL = 120;
const PER_METRE = 6.5;
/** Metres between points of the flight. Equal distances keep the speed of the ball constant. */
const STEP = 1.2;
const BEYOND = 7;
/** How bat and ball did not meet, where the ball goes on to the keeper. */
const PAST_THE_BAT = new Set(['beaten', 'left', 'ducked']);

export function flight(ball: PicturedBall, keeper: Place): Flight {
  const [off = 0, up = 0] = ball.pitch;
  const full = ball.landed[0] === 'full_toss' || up <= BAT;
  const bounce: Spot | null = full ? null : [-off, up, 0];
  const target = aimedAt(ball, keeper, off);
  const delivery = bounce ? [...arc(HAND, bounce, 0.35), ...arc(bounce, target, 0.15)] : arc(HAND, target, 0.3);
  const struck = ball.hit ? strokeOf(ball, target) : [];
  const end = struck.at(-1) ?? target;
  const away = struck.length ? Math.hypot(end[0] - target[0], end[1] - target[1]) : 0;
  const time = [DELIVERY / Math.max(60, ball.kmh ?? USUAL), away ? HIT + PER_METRE * away : 0] as const;
  return { delivery, bounce, struck, end, time };
}

/**
 * Return the end of the delivery: at the bat or pad if the ball was hit or hit the batter, at the stumps, or at the
 * keeper.
 */
function aimedAt(ball: BallBowled, keeper: Place, off: number): Spot {
  const kind = wicketOf(ball)?.kind;
  if (kind === 'bowled') return [0, 0, 0.5];
  const stopped = ball.contact === 'pad' || ball.contact === 'body' || ball.extras?.['legbyes'];
  if (ball.hit || kind === 'lbw' || kind === 'hit wicket' || stopped) return [-off * 0.8, BAT, 0.6];
  const missed = ball.contact && PAST_THE_BAT.has(ball.contact);
  const past = missed || ball.extras?.['wides'] || ball.extras?.['byes'] || kind === 'stumped';
  return past ? [keeper.leg - off * 0.5, keeper.up, 0.8] : [-off * 0.7, -0.5, 0.6];
}

/**
 * Return the points of a hit ball. A six and a catch are in the air; a four reaches the rope. The height is not in the
 * event.
 */
function strokeOf(ball: BallBowled, from: Spot): readonly Spot[] {
  const [angle = 0, distance = 0] = ball.hit ?? [];
  const kind = wicketOf(ball)?.kind;
  const rope = ropeAt(angle);
  if (boundary(ball) === 'six') {
    const reach = Math.max(distance, Math.hypot(rope.leg, rope.up) + BEYOND);
    return arc(from, spot(polar(angle, reach)), 0.27 * reach);
  }
  if (boundary(ball) === 'four') return arc(from, spot(rope), 1.5);
  const caught = kind === 'caught' || kind === 'caught and bowled';
  return arc(from, spot(polar(angle, distance), caught ? 1.4 : 0), caught ? Math.min(14, 0.18 * distance) : 0.8);
}

const spot = ({ leg, up }: Place, height = 0): Spot => [leg, up, height];

/** Return points from `a` to `b`, in the middle `rise` metres above the straight line. */
function arc(a: Spot, b: Spot, rise: number): Spot[] {
  const steps = Math.max(4, Math.round(Math.hypot(b[0] - a[0], b[1] - a[1]) / STEP));
  const way = Array.from({ length: steps }, (_, n): Spot => {
    const t = n / steps;
    const between = (i: 0 | 1 | 2): number => a[i] + (b[i] - a[i]) * t;
    return [between(0), between(1), between(2) + 4 * rise * t * (1 - t)];
  });
  return [...way, b];
}
