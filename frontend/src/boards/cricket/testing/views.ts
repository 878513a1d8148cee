/** What captains may do at some telling moments, as the rules say it; written by `scripts/cricket/seat_views.py`. */

import views from '../fixtures/views.json';
import type { Legal, Observation } from '../events.gen';

export type ViewName = keyof typeof views;

export const legalOf = (name: ViewName): Legal => views[name].legal as unknown as Legal;
export const seenOf = (name: ViewName): Observation => views[name].observation as unknown as Observation;
