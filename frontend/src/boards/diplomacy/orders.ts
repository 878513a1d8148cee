/** Resolved orders. */

import type { ResolvedOrder } from './events.gen';

export type OrderKind = 'hold' | 'move' | 'support' | 'convoy' | 'retreat' | 'disband' | 'build' | 'waive';

/** A unit as in orders: its kind and its place, `F STP/SC`. */
export interface UnitName {
  readonly kind: 'A' | 'F';
  readonly at: string;
}

/** An order and its results; `results` is empty if it succeeded. */
export interface PlayedOrder {
  readonly power: string;
  /** In standard notation: `A MAR S A PAR - BUR`. */
  readonly text: string;
  readonly kind: OrderKind;
  /** The ordered unit; null for a waived build. */
  readonly unit: UnitName | null;
  /** The destination of `unit` or of the unit that it helps; null if that unit holds. */
  readonly to: string | null;
  /** The supported or convoyed unit. */
  readonly helps: UnitName | null;
  /** Whether a move is or was to be by sea. */
  readonly bySea: boolean;
  readonly results: readonly string[];
  /** The origin of the attack that dislodged the unit, or null. */
  readonly beatenFrom: string | null;
}

/** A resolved phase. */
export interface Played {
  readonly phase: string;
  readonly orders: readonly PlayedOrder[];
}

/** Return the province of a place: `STP/SC` -> `STP`. */
export function provinceOf(place: string): string {
  return place.slice(0, 3);
}

export function readUnit(name: string): UnitName {
  return { kind: name.startsWith('F') ? 'F' : 'A', at: name.slice(2) };
}

export function readOrder(power: string, data: ResolvedOrder): PlayedOrder {
  return {
    power,
    text: data.order,
    kind: data.kind as OrderKind,
    unit: data.unit ? readUnit(data.unit) : null,
    to: data.to ?? null,
    helps: data.target ? readUnit(data.target) : null,
    bySea: data.via ?? false,
    results: data.results,
    beatenFrom: data.dislodged_by ?? null,
  };
}

/** Return whether an order succeeded. The unit may still be dislodged. */
export function done({ kind, results }: PlayedOrder): boolean {
  if (kind === 'disband') return !results.includes('void');
  if (kind === 'convoy' || kind === 'hold') return results.length === 0;
  return results.every((result) => result === 'dislodged' || (result === 'disband' && destroyed({ results })));
}

/** Return whether a unit was dislodged and disbanded immediately, because it could not retreat. */
export function destroyed({ results }: Pick<PlayedOrder, 'results'>): boolean {
  return results.includes('dislodged') && results.includes('disband');
}

/** Return whether `fleet` was ordered to convoy the move of `army`. */
export function carries(fleet: PlayedOrder, army: PlayedOrder): boolean {
  return (
    fleet.kind === 'convoy' &&
    army.kind === 'move' &&
    provinceOf(fleet.helps?.at ?? '') === provinceOf(army.unit?.at ?? '-') &&
    provinceOf(fleet.to ?? '') === provinceOf(army.to ?? '-')
  );
}

/** Return whether an order is given in `province`, leads into it, or helps the unit there. */
export function concerns({ unit, to, helps }: PlayedOrder, province: string): boolean {
  return [unit?.at, to, helps?.at].some((place) => place != null && provinceOf(place) === province);
}
