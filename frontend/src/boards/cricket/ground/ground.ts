/** The lines of the ground, projected by a camera, as SVG paths. */

import { trace, type Camera } from './camera';
import { CIRCLE, PITCH, ROPE } from './places';

const MIDDLE = PITCH / 2;
const STRIPE = 9;
const PITCH_HALF = 1.525;
const BOWLING_CREASE = 1.32;
const POPPING_CREASE = 1.83;
const POPPING = 1.22;
const BEHIND = 1.22;

export interface GroundPaths {
  /** Rows of the stands, the nearest first. */
  readonly terraces: readonly string[];
  readonly outer: string;
  readonly outfield: string;
  /** Every second stripe of mown grass. */
  readonly stripes: string;
  readonly circle: string;
  readonly square: string;
  readonly pitch: string;
  readonly creases: string;
  readonly stumps: string;
}

export function groundPaths(camera: Camera): GroundPaths {
  const round = (radius: number, height = 0): string =>
    trace(
      Array.from({ length: 96 }, (_, n) => {
        const angle = (n / 48) * Math.PI;
        return camera.at(radius * Math.sin(angle), MIDDLE + radius * Math.cos(angle), height);
      }),
      true,
    );
  const box = (half: number, from: number, to: number): string =>
    trace([camera.at(-half, from), camera.at(half, from), camera.at(half, to), camera.at(-half, to)], true);
  const across = (half: number, up: number): string => trace([camera.at(-half, up), camera.at(half, up)]);
  return {
    terraces: [9, 11.5, 14, 16.5].map((away, n) => round(ROPE + away, 1.5 + 1.5 * n)),
    outer: round(ROPE + 5),
    outfield: round(ROPE),
    stripes: stripes(camera),
    circle: restriction(camera),
    square: box(10, -5, PITCH + 5),
    pitch: box(PITCH_HALF, -BEHIND, PITCH + BEHIND),
    creases: [
      across(BOWLING_CREASE, 0),
      across(BOWLING_CREASE, PITCH),
      across(POPPING_CREASE, POPPING),
      across(POPPING_CREASE, PITCH - POPPING),
    ].join(''),
    stumps: [0, PITCH]
      .flatMap((up) => [-0.3, 0, 0.3].map((right) => trace([camera.at(right, up), camera.at(right, up, 1.5)])))
      .join(''),
  };
}

function stripes(camera: Camera): string {
  const bands = [];
  for (let from = -ROPE; from < ROPE; from += 2 * STRIPE) {
    const edge = Array.from({ length: 9 }, (_, n) => Math.min(ROPE, from + (n / 8) * STRIPE));
    const reach = (right: number): number => Math.sqrt(Math.max(0, ROPE * ROPE - right * right));
    const near = edge.map((right) => camera.at(right, MIDDLE + reach(right)));
    const far = edge.map((right) => camera.at(right, MIDDLE - reach(right))).reverse();
    bands.push(trace([...near, ...far], true));
  }
  return bands.join('');
}

/** Return two semicircles around the middle stumps, joined by straight lines. */
function restriction(camera: Camera): string {
  const half = (centre: number, from: number): (readonly [number, number])[] =>
    Array.from({ length: 33 }, (_, n) => {
      const angle = from + (n / 32) * Math.PI;
      return [CIRCLE * Math.cos(angle), centre + CIRCLE * Math.sin(angle)];
    });
  return trace(
    [...half(PITCH, 0), ...half(0, Math.PI)].map(([right, up]) => camera.at(right, up)),
    true,
  );
}
