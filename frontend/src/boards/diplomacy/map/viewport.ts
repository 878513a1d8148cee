/** The visible part of the map: a scale, and the shift of the drawing in pixels. Pure. */

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The view of the whole map. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const LARGEST = 6;

/** Return `view` limited so that the map fills its frame of `size`. */
export function clamp(view: View, size: Size): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale));
  const within = (shift: number, room: number): number => Math.min(0, Math.max(room * (1 - scale), shift));
  return { scale, x: within(view.x, size.width), y: within(view.y, size.height) };
}

/** Return `view` scaled by `factor` around the point (x, y) of the frame. */
export function zoom(view: View, factor: number, x: number, y: number, size: Size): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor));
  const change = scale / view.scale;
  return clamp({ scale, x: x - (x - view.x) * change, y: y - (y - view.y) * change }, size);
}

export function pan(view: View, dx: number, dy: number, size: Size): View {
  return clamp({ ...view, x: view.x + dx, y: view.y + dy }, size);
}

/** Return `view` moved as little as possible so that the point of the unscaled frame is clear of its edges. */
export function reveal(view: View, point: Finger, size: Size): View {
  const clear = (shift: number, at: number, room: number): number => {
    const position = shift + at * view.scale;
    return shift + Math.min(room * 0.85, Math.max(room * 0.15, position)) - position;
  };
  return clamp({ ...view, x: clear(view.x, point.x, size.width), y: clear(view.y, point.y, size.height) }, size);
}

export interface Finger {
  readonly x: number;
  readonly y: number;
}

/** Return the view after two fingers have moved, with the same points of the map under them. */
export function pinch(view: View, before: [Finger, Finger], after: [Finger, Finger], size: Size): View {
  const spread = ([a, b]: [Finger, Finger]): number => Math.hypot(a.x - b.x, a.y - b.y) || 1;
  const middle = ([a, b]: [Finger, Finger]): Finger => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
  const [from, to] = [middle(before), middle(after)];
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoom(moved, spread(after) / spread(before), to.x, to.y, size);
}
