/** A parser of orders in standard notation. */

import { readUnit, type OrderKind, type PlayedOrder } from '../orders';

const ORDER = /^([AF] \S+) (?:([HDB])|(-|R) (\S+)( VIA)?|([SC]) ([AF] \S+)(?: - (\S+))?)$/;
const KINDS: Record<string, OrderKind> = {
  H: 'hold',
  D: 'disband',
  B: 'build',
  '-': 'move',
  R: 'retreat',
  S: 'support',
  C: 'convoy',
};

/** Return the order in `text`, which is in standard notation. Throws if it is invalid. */
export function readText(power: string, text: string): PlayedOrder {
  const [, unit, alone, goes, to, via, helps, helped, there] = ORDER.exec(text) ?? [];
  const kind = KINDS[alone ?? goes ?? helps ?? ''];
  if (!unit || !kind) throw new Error(`not an order: ${text}`);
  return {
    power,
    text,
    kind,
    unit: readUnit(unit),
    to: to ?? there ?? null,
    helps: helped ? readUnit(helped) : null,
    bySea: via !== undefined,
    results: [],
    beatenFrom: null,
  };
}
