/** Views of captains in various situations, as the rules give them; written by `scripts/cricket/seat_views.py`. */

import views from '../fixtures/views.json';
import type { Legal, Observation } from '../events.gen';

export type ViewName = keyof typeof views;

export const legalOf = (name: ViewName): Legal => views[name].legal as unknown as Legal;
export const observationOf = (name: ViewName): Observation => views[name].observation as unknown as Observation;
