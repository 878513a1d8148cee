/** Views of captains in various situations, as the rules give them; written by `scripts/cricket/seat_views.py`. */

import type { Slot } from '../../../seat/slots';
import type { Observation, Restriction } from '../events.gen';
import views from '../fixtures/views.json';

export type ViewName = keyof typeof views;

export const toolsOf = (name: ViewName): Record<string, readonly Slot[]> =>
  views[name].tools as unknown as Record<string, readonly Slot[]>;
/** Return the slots of a tool: none if it cannot be called. */
export const slotsOf = (name: ViewName, tool: string): readonly Slot[] => toolsOf(name)[tool] ?? [];
export const observationOf = (name: ViewName): Observation => views[name].observation as unknown as Observation;
export const restrictionsOf = (name: ViewName): readonly Restriction[] => observationOf(name).restrictions ?? [];
