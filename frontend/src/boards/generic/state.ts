import type { Event } from '../../types.gen';

export interface GenericState {
  /** The `state` field of the last event that has one, or undefined. */
  readonly whole: unknown;
  readonly last: Event | null;
  readonly seats: readonly string[];
}

/** Return the type of an event in words: `BallBowled` -> `Ball bowled`. */
export function words(type: string): string {
  const spaced = type.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
