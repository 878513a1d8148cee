/** The properties of a picture on the page. */

import type { SeatLook } from '../game';
import type { Picture } from './picture.gen';

export interface PictureProps {
  picture: Picture;
  /** The picture shown before, if this one is a single step after it and motion is allowed; else null. */
  before?: Picture | null;
  /** The speed of the animation, 1 for the usual one. */
  rate?: number;
  /** Return the appearance of an owner. */
  look(owner: string): Pick<SeatLook, 'name' | 'colour' | 'wash'>;
  /** The places and things that may be chosen, by id, with what choosing one means in words; '' for its name. */
  targets?: ReadonlyMap<string, string>;
  /** The ids that are chosen so far. */
  picked?: readonly string[];
  /** A target was chosen by click, Enter or space. */
  onpick?(id: string): void;
  /** A target was dragged to another. */
  ondrop?(from: string, to: string): void;
  /** Whether the figures are left out, as on small cards. */
  bare?: boolean;
}
