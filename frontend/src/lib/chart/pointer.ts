/** Pointing at a chart. */

/** The margins around the plot, pixels. */
export interface Margins {
  readonly left: number;
  readonly right: number;
}

/** Return the position of the pointer between the left end (0) and the right end (1) of a plot `width` wide with margins. */
export function pointedShare(event: PointerEvent | MouseEvent, width: number, { left, right }: Margins): number {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  return (event.clientX - box.left - left) / Math.max(1, width - left - right);
}

/** Return the index among `count` evenly spaced points that is nearest to the pointer. */
export function pointedIndex(event: PointerEvent, count: number, width: number, margins: Margins): number {
  return within(count, Math.round(pointedShare(event, width, margins) * (count - 1)));
}

/** Return the index that an arrow key moves to from `index` among `count`; null for any other key. */
export function keyedIndex(event: KeyboardEvent, index: number, count: number): number | null {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  return by ? within(count, index + by) : null;
}

const within = (count: number, index: number): number => Math.max(0, Math.min(count - 1, index));
