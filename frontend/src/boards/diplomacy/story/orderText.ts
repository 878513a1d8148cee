/** Places, orders and results in words. */

import { PROVINCES } from '../map/drawing';
import { readText } from './notation';
import { destroyed, done, provinceOf, readUnit, type Played, type PlayedOrder, type UnitName } from '../orders';
import { POWER_IDS, powerName } from '../powers';

const COASTS: Record<string, string> = { NC: 'north coast', SC: 'south coast', EC: 'east coast' };

/** Return a place: `STP/SC` -> `St Petersburg (south coast)`. */
export function placeName(place: string): string {
  const name = PROVINCES.get(provinceOf(place))?.name ?? place;
  const coast = COASTS[place.slice(4)];
  return coast ? `${name} (${coast})` : name;
}

export function kindName(kind: 'A' | 'F'): string {
  return kind === 'A' ? 'army' : 'fleet';
}

/** Return a unit: `the army in Paris`. */
export function unitName(unit: UnitName): string {
  return `the ${kindName(unit.kind)} in ${placeName(unit.at)}`;
}

/** Return an order without its subject: `moves to Burgundy`. */
export function orderWords({ kind, unit, to, helps, bySea }: PlayedOrder): string {
  const target = to ? placeName(to) : '';
  const helped = helps ? unitName(helps) : '';
  switch (kind) {
    case 'move':
      return `moves to ${target}${bySea ? ' by sea' : ''}`;
    case 'support':
      return to ? `supports ${helped} to ${target}` : `supports ${helped} to hold`;
    case 'convoy':
      return `convoys ${helped} to ${target}`;
    case 'retreat':
      return `retreats to ${target}`;
    case 'disband':
      return 'disbands';
    case 'build':
      return `builds ${unit?.kind === 'F' ? 'a fleet' : 'an army'}`;
    case 'waive':
      return 'waives a build';
    case 'hold':
      return 'holds';
  }
}

/** A result as a badge: its text, and whether the order failed. */
export interface Verdict {
  readonly text: string;
  readonly tone: 'good' | 'bad' | 'plain';
}

/** Return the results of an order; empty if the order alone says enough. */
export function verdicts(order: PlayedOrder, played: Played): Verdict[] {
  const verdicts = order.results.map((result): Verdict => ({ text: resultWords(result, order, played), tone: 'bad' }));
  if (verdicts.length === 0 && order.kind === 'move') verdicts.push({ text: 'moved', tone: 'good' });
  return verdicts;
}

function resultWords(result: string, order: PlayedOrder, played: Played): string {
  switch (result) {
    case 'bounce':
      return 'bounced';
    case 'cut':
      return 'support cut';
    case 'void':
      return order.kind === 'support' || order.kind === 'convoy' ? 'not matched' : 'void';
    case 'no convoy':
      return order.kind === 'convoy' ? 'carried nobody' : 'no convoy';
    case 'disrupted':
      return 'convoy disrupted';
    case 'dislodged':
      return `dislodged by ${attackerOf(order, played)}`;
    case 'disband':
      if (destroyed(order)) return 'destroyed: nowhere to retreat';
      return order.kind === 'disband' && played.phase.startsWith('W') ? 'civil disorder' : 'disbanded';
    default:
      return result;
  }
}

/** Return the unit that dislodged another one: `the army from Munich`. */
export function attackerOf(order: PlayedOrder, played: Played): string {
  const from = order.beatenFrom ?? '';
  const unit = played.orders.find((other) => other.unit && provinceOf(other.unit.at) === from)?.unit;
  if (!unit) return from ? `an attack from ${placeName(from)}` : 'an attack';
  return `the ${kindName(unit.kind)} from ${placeName(unit.at)}`;
}

const PLACE = String.raw`[A-Z]{3}(?:/[NSEW]C)?`;
const UNIT = String.raw`\b[AF] ${PLACE}`;
const ORDER = new RegExp(String.raw`${UNIT} (?:[HDB]\b|(?:-|R) ${PLACE}(?: VIA)?|[SC] ${UNIT}(?: - ${PLACE})?)`, 'g');
const UNITS = new RegExp(UNIT, 'g');
const NAMES = new RegExp(String.raw`\b(?:${POWER_IDS.join('|')}|${PLACE})\b`, 'g');

/** Return a text of the rules with its notation in words: `A PAR - BUR` -> `the army in Paris moves to Burgundy`. */
export function plainWords(text: string): string {
  return text
    .replace(ORDER, (order) => sentence(readText('', order)))
    .replace(UNITS, (unit) => (PROVINCES.has(provinceOf(unit.slice(2))) ? unitName(readUnit(unit)) : unit))
    .replace(NAMES, (name) => (PROVINCES.has(provinceOf(name)) ? placeName(name) : powerName(name)));
}

/** Return an order with its subject: `the army in Paris moves to Burgundy`. A build has no unit yet. */
function sentence(order: PlayedOrder): string {
  if (!order.unit) return orderWords(order);
  if (order.kind === 'build') return `a build of ${kindName(order.unit.kind)} in ${placeName(order.unit.at)}`;
  return `${unitName(order.unit)} ${orderWords(order)}`;
}

/** Return the orders that affect `province`: of units that entered it, were in it, or were built there. */
export function ordersIn(played: Played, province: string): PlayedOrder[] {
  const came = (order: PlayedOrder): boolean =>
    (order.kind === 'move' || order.kind === 'retreat') && done(order) && provinceOf(order.to ?? '') === province;
  const stood = ({ unit }: PlayedOrder): boolean => unit !== null && provinceOf(unit.at) === province;
  return [...played.orders.filter(came), ...played.orders.filter(stood)];
}
