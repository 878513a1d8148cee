/** The appearance of the seven powers. */

import type { SeatLook } from '../game';
import { POWERS } from './map/palette';

const NAMES: Record<string, string> = {
  AUSTRIA: 'Austria',
  ENGLAND: 'England',
  FRANCE: 'France',
  GERMANY: 'Germany',
  ITALY: 'Italy',
  RUSSIA: 'Russia',
  TURKEY: 'Turkey',
};

export const POWER_IDS: readonly string[] = Object.keys(NAMES);

export function powerName(power: string): string {
  return NAMES[power] ?? power;
}

export function look(power: string): SeatLook {
  const land = wash(power);
  return { name: powerName(power), short: power.slice(0, 3), colour: strong(power), ...(land && { wash: land }) };
}

/** The colour of a power's units and name. */
export function strong(power: string): string {
  return POWERS[power]?.strong ?? 'var(--ink-soft)';
}

/** The colour over a power's provinces. */
export function wash(power: string | null): string | null {
  return power === null ? null : (POWERS[power]?.wash ?? null);
}

const LANDS: Record<string, string> = {
  AUSTRIA: 'BOH GAL TYR',
  ENGLAND: 'CLY WAL YOR',
  FRANCE: 'BUR GAS PIC',
  GERMANY: 'PRU RUH SIL',
  ITALY: 'APU PIE TUS',
  RUSSIA: 'FIN LVN UKR',
  TURKEY: 'ARM SYR',
};

/** Provinces without a supply centre that belong to a power in 1901, by province. */
export const HOME_LANDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LANDS).flatMap(([power, lands]) => lands.split(' ').map((land) => [land, power])),
);
