/** The contents of the wagon wheel and the pitch map. */

import type { BallBowled } from '../events.gen';
import { polar, ropeAt, type Place } from '../ground/places';
import { boundary, pictured, wicketOf, worth } from '../vocabulary';

export interface Pick {
  readonly batter: string | null;
  readonly bowler: string | null;
}

export function picked(balls: readonly BallBowled[], { batter, bowler }: Pick): BallBowled[] {
  return balls.filter((ball) => (!batter || ball.batter === batter) && (!bowler || ball.bowler === bowler));
}

export interface Spoke {
  readonly ball: BallBowled;
  readonly worth: ReturnType<typeof worth>;
  readonly to: Place;
}

/** Return the paths of the balls that were hit; boundaries come last, so that they are drawn on top. */
export function spokes(balls: readonly BallBowled[]): Spoke[] {
  const order = ['dot', 'run', 'wicket', 'four', 'six'];
  return balls
    .flatMap((ball): Spoke[] => {
      const [angle, distance] = ball.hit ?? [];
      if (angle === undefined || distance === undefined) return [];
      return [{ ball, worth: worth(ball), to: endOf(ball, angle, distance) }];
    })
    .sort((a, b) => order.indexOf(a.worth) - order.indexOf(b.worth));
}

/** Metres beyond the rope that the wheel shows. */
export const STANDS = 13;

/** A four ends on the rope, a six where it came down, in the stands at the latest. */
function endOf(ball: BallBowled, angle: number, distance: number): Place {
  const reached = boundary(ball);
  if (reached === null) return polar(angle, distance);
  const rope = ropeAt(angle);
  const carried = distance - Math.hypot(rope.leg, rope.up);
  return ropeAt(angle, reached === 'six' ? Math.min(STANDS - 2, Math.max(2, carried)) : 0);
}

export interface Zone {
  readonly name: string;
  readonly runs: number;
  /** The middle of the zone's eighth of the ground. */
  readonly angle: number;
}

/** Return runs off the bat by the zones of the events. */
export function zones(balls: readonly BallBowled[]): Zone[] {
  const runs = new Map<string, number>();
  const angles = new Map<string, number>();
  for (const { zone, hit, runs: made } of balls) {
    const angle = hit?.[0];
    if (!zone || angle === undefined) continue;
    runs.set(zone, (runs.get(zone) ?? 0) + made);
    angles.set(zone, 45 * Math.floor(angle / 45) + 22.5);
  }
  return [...runs].map(([name, made]) => ({ name, runs: made, angle: angles.get(name) ?? 0 }));
}

export interface LengthRow {
  readonly length: string;
  readonly balls: number;
  readonly runs: number;
  readonly dots: number;
  readonly wickets: number;
}

/** Return counts by length as landed, the fullest first, with the runs charged to the bowler. */
export function lengths(balls: readonly BallBowled[]): LengthRow[] {
  const rows = new Map<string, LengthRow & { up: number }>();
  for (const ball of balls.filter(pictured)) {
    const length = ball.landed[0] ?? '';
    const row = rows.get(length) ?? { length, balls: 0, runs: 0, dots: 0, wickets: 0, up: 0 };
    const { byes = 0, legbyes = 0, penalty = 0 } = ball.extras ?? {};
    const kind = wicketOf(ball)?.kind;
    rows.set(length, {
      length,
      balls: row.balls + 1,
      runs: row.runs + ball.total - byes - legbyes - penalty,
      dots: row.dots + Number(ball.total === 0),
      wickets: row.wickets + Number(kind !== undefined && kind !== 'run out'),
      up: row.up + (ball.pitch[1] ?? 0),
    });
  }
  return [...rows.values()].sort((a, b) => a.up / a.balls - b.up / b.balls);
}
