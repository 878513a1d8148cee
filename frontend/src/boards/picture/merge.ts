/** A picture from the events that show it. */

import type { Picture, PictureSeen } from './picture.gen';

/** Return `value` as a picture with unique ids, or null if it is none: games of others may publish anything as one. */
export const pictureOf = (value: unknown): Picture | null =>
  isPicture(value) ? { ...value, places: over(value.places), things: over(value.things) } : null;

const isPicture = (value: unknown): value is Picture =>
  typeof value === 'object' &&
  value !== null &&
  'places' in value &&
  'things' in value &&
  Array.isArray(value.places) &&
  Array.isArray(value.things);

/** Return what a seat sees: `seen` over the public picture. */
export const merged = (picture: Picture, seen: PictureSeen): Picture => ({
  ...picture,
  places: over(picture.places, seen.places),
  things: over(picture.things, seen.things),
  figures: [...(picture.figures ?? []), ...seen.figures],
  describe: seen.describe,
});

/** Return `old` with `more` in place of those with the same ids, and the rest of `more` after them. */
function over<Part extends { id: string }>(old: readonly Part[], more: readonly Part[] = []): Part[] {
  return [...new Map([...old, ...more].map((part) => [part.id, part])).values()];
}
