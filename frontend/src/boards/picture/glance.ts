/** The picture of a glance at a match. */

import type { Glance } from '../../types.gen';
import { pictureOf } from './merge';
import type { Picture, Place } from './picture.gen';

/** Return the picture of `glance` on the ground of its game; null if it has none. */
export function glanced({ picture, owners }: Glance, ground: readonly Place[]): Picture | null {
  const drawn = pictureOf({ places: [], things: [], ...picture });
  if (!picture || !drawn) return null;
  const places = ground.map((place): Place => {
    const owner = owners?.[place.id];
    return owner ? { ...place, owner } : place;
  });
  return { ...drawn, places: [...places, ...drawn.places] };
}
