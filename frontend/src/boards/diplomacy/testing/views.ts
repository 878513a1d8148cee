/** What seats may choose in various positions, as the rules give it; written by `scripts/diplomacy/seat_views.py`. */

import { onBoard } from '../../../seat/places';
import type { Slot } from '../../../seat/slots';
import views from '../fixtures/views.json';

export type ViewName = keyof typeof views;
export const VIEW_NAMES = Object.keys(views) as ViewName[];

export const powerOf = (name: ViewName): string => views[name].seat;
/** Return the slots that are answered on the map: without the vote. */
export const slotsOf = (name: ViewName): readonly Slot[] => (views[name].slots as Slot[]).filter(onBoard);

/** Return every order that the slots offer. */
export const ordersOf = (name: ViewName): string[] =>
  slotsOf(name).flatMap((slot) => ('options' in slot ? slot.options.map(({ word }) => word) : []));
