/** Animations of the elements of a drawing. */

/** The animation of one element. */
export interface Motion {
  /** The name of the element: a selector, or what else `start` looks it up by. */
  readonly of: string;
  readonly frames: Keyframe[];
  readonly timing: KeyframeAnimationOptions;
}

/** The selector of the whole drawing. */
export const WHOLE = ':scope';
/** The frames of what comes into view. */
export const APPEARS: Keyframe[] = [{ opacity: 0 }, { opacity: 1 }];

/** Return the look-up of the elements of `drawing` by selector. */
export const bySelector =
  (drawing: Element) =>
  (of: string): Element | null =>
    of === WHOLE ? drawing : drawing.querySelector(of);

/** Start `todo` at `rate` on the elements that `find` returns; return a function that stops them. */
export function start(find: (of: string) => Element | null | undefined, todo: readonly Motion[], rate = 1): () => void {
  const running = todo.flatMap(({ of, frames, timing }) => find(of)?.animate(frames, timing) ?? []);
  for (const animation of running) animation.playbackRate = rate;
  return () => running.forEach((animation) => animation.cancel());
}
