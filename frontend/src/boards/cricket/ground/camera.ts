/** The projection of the ground, seen from high behind the bowler: metres to pixels. */

export type Point = readonly [x: number, y: number];

/** The visible area in metres: to either side, and up the pitch from `near`, behind the bowler, to `far`. */
export interface Scope {
  readonly across: number;
  readonly near: number;
  readonly far: number;
  /** The distance of the camera. */
  readonly distance: number;
}

export interface Camera {
  /** Return the position of a point: metres to the right as the bowler looks, metres up the pitch, height. */
  at(right: number, up: number, height?: number): Point;
  /** Return the length of one metre across at that point, in pixels. */
  scale(right: number, up: number): number;
}

/** Return the camera that shows `scope` in a frame; its height depends on the shape of the frame. */
export function camera(scope: Scope, width: number, height: number, margin = { top: 0, side: 0, bottom: 0 }): Camera {
  const [w, h] = [Math.max(1, width - 2 * margin.side), Math.max(1, height - margin.top - margin.bottom)];
  const depth = scope.near - scope.far;
  const tilt = Math.asin(Math.min(0.93, Math.max(0.36, (h / w) * ((2 * scope.across) / depth) * 1.02)));
  const [sin, cos] = [Math.sin(tilt), Math.cos(tilt)];
  const middle = (scope.near + scope.far) / 2;
  const bare = (right: number, up: number, z: number): Point => {
    const away = middle - up;
    const k = scope.distance / (scope.distance + away * cos - z * sin);
    return [right * k, -(away * sin + z * cos) * k];
  };
  const rim = Array.from({ length: 72 }, (_, n) => {
    const angle = (n / 36) * Math.PI;
    return bare(scope.across * Math.sin(angle), middle + (depth / 2) * Math.cos(angle), 0);
  });
  const [xs, ys] = [rim.map(([x]) => x), rim.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const zoom = Math.min(w / (right - left), h / (bottom - top));
  const [x0, y0] = [width / 2 - (zoom * (left + right)) / 2, margin.top + h / 2 - (zoom * (top + bottom)) / 2];
  return {
    at: (across, up, z = 0) => {
      const [x, y] = bare(across, up, z);
      return [x0 + zoom * x, y0 + zoom * y];
    },
    scale: (across, up) => zoom * (bare(across + 1, up, 0)[0] - bare(across, up, 0)[0]),
  };
}

/** Return an SVG path through points. */
export function trace(points: readonly Point[], close = false): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${close ? 'Z' : ''}`;
}
