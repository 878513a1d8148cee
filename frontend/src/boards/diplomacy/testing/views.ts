/** Views of seats in various positions, as the rules give them; written by `scripts/diplomacy/seat_views.py`. */

import type { Legal, Position } from '../events.gen';
import views from '../fixtures/views.json';
import { readBook, type Book } from '../play/book';

export type ViewName = keyof typeof views;
export const VIEW_NAMES = Object.keys(views) as ViewName[];

export const legalOf = (name: ViewName): Legal => views[name].legal as unknown as Legal;
export const bookOf = (name: ViewName): Book => readBook(views[name].seat, legalOf(name));
export const positionOf = (name: ViewName): Position => views[name].state as unknown as Position;
