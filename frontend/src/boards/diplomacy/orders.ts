/** Orders as they were played, and how that is said. */

import type { ResolvedOrder } from './events.gen';

export type OrderKind = 'hold' | 'move' | 'support' | 'convoy' | 'retreat' | 'disband' | 'build' | 'waive';

/** A unit as it is named in orders: its kind and where it stands, `F STP/SC`. */
export interface UnitName {
  readonly kind: 'A' | 'F';
  readonly at: string;
}

/** An order and what became of it; `results` is empty where nothing went wrong. */
export interface PlayedOrder {
  readonly power: string;
  /** In standard notation: `A MAR S A PAR - BUR`. */
  readonly text: string;
  readonly kind: OrderKind;
  /** The unit that is ordered; null where a build is waived. */
  readonly unit: UnitName | null;
  /** Where `unit` goes, or where the unit that it helps goes; null where that one stays. */
  readonly to: string | null;
  /** The unit that is supported or convoyed. */
  readonly helps: UnitName | null;
  /** Whether a move went, or was to go, by sea. */
  readonly bySea: boolean;
  readonly results: readonly string[];
  /** Where the attack that dislodged the unit came from; null where none did. */
  readonly beatenFrom: string | null;
}

/** A phase that was played. */
export interface Played {
  readonly phase: string;
  readonly orders: readonly PlayedOrder[];
}

/** The province of a place: `STP/SC` -> `STP`. */
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

/** Whether an order did what it says. A unit may do that and yet be dislodged from where it stands. */
export function done({ kind, results }: PlayedOrder): boolean {
  if (kind === 'disband') return !results.includes('void');
  if (kind === 'convoy' || kind === 'hold') return results.length === 0;
  return results.every((result) => result === 'dislodged' || (result === 'disband' && destroyed({ results })));
}

/** Whether a unit was dislodged and taken off the board at once, with nowhere to retreat to. */
export function destroyed({ results }: Pick<PlayedOrder, 'results'>): boolean {
  return results.includes('dislodged') && results.includes('disband');
}

/** Whether `fleet` was ordered to convoy the move of `army`. */
export function carries(fleet: PlayedOrder, army: PlayedOrder): boolean {
  return (
    fleet.kind === 'convoy' &&
    army.kind === 'move' &&
    provinceOf(fleet.helps?.at ?? '') === provinceOf(army.unit?.at ?? '-') &&
    provinceOf(fleet.to ?? '') === provinceOf(army.to ?? '-')
  );
}

/** Whether an order was given in `province`, leads into it, or is for the unit there. */
export function concerns({ unit, to, helps }: PlayedOrder, province: string): boolean {
  return [unit?.at, to, helps?.at].some((place) => place != null && provinceOf(place) === province);
}
