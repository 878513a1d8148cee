/**
 * Places on the ground in metres from the striker's middle stump: `leg` towards the leg side, `up` the pitch towards
 * the bowler. The positions are those of the rules.
 */

import fielding from '../../../../../grandstand/games/cricket/data/fielding.json';

export interface Place {
  readonly leg: number;
  readonly up: number;
}

export const PITCH = 20.12;
/** Radius of the two semicircles of the fielding restriction. */
export const CIRCLE = 27.43;
/** The rope is a circle around the middle of the pitch that contains all positions. */
export const ROPE = 72;
/** The place of a keeper who stands up to the stumps, as for spin. */
const STANDING_UP: Place = { leg: 0, up: -2.6 };
const SPIN = new Set(['OB', 'LB', 'SLA', 'LWS']);
/** The style of pace to which a keeper may stand up, in these preset fields. */
const MEDIUM = 'RM';
const KEEPER_UP = new Set(fielding.keeper_up);

const POSITIONS = new Map(
  Object.entries(fielding.positions).map(([name, row]) => [name, polar(Number(row[0]), Number(row[1]))]),
);

/** Return the place at `distance` metres and `angle` degrees from straight past the bowler, leg side positive. */
export function polar(angle: number, distance: number): Place {
  const radians = (angle * Math.PI) / 180;
  return { leg: distance * Math.sin(radians), up: distance * Math.cos(radians) };
}

/** Return the place of a position, or undefined if this page does not know its name. */
export function placeOf(position: string): Place | undefined {
  return POSITIONS.get(position);
}

/** Return the place of the keeper for a bowler of `style`, in a preset field. */
export function keeperTo(style: string | null | undefined, preset?: string | null): Place {
  const up = style && (SPIN.has(style) || (style === MEDIUM && preset && KEEPER_UP.has(preset)));
  return up ? STANDING_UP : (POSITIONS.get('wicketkeeper') as Place);
}

/** Return the point of the rope at `angle` degrees from the striker, or `beyond` metres behind it. */
export function ropeAt(angle: number, beyond = 0): Place {
  const centre = PITCH / 2;
  const along = centre * Math.cos((angle * Math.PI) / 180);
  return polar(angle, along + Math.sqrt(along * along + ROPE * ROPE - centre * centre) + beyond);
}

const AROUND = ROPE + 5;

/** The areas that the two cameras show: the whole ground, and the pitch. */
export const OVAL = { across: AROUND, near: PITCH / 2 + AROUND, far: PITCH / 2 - AROUND, distance: 300 };
export const CLOSE = { across: 2.7, near: PITCH + 2, far: -3.5, distance: 34 };
