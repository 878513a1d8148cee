/** Where units can move without a convoy, from the borders of the rules. */

import type { UnitName } from '../orders';
import data from '../../../../../grandstand/games/diplomacy/data/borders.csv?raw';

const TERRAINS: Record<string, readonly string[]> = { land: ['A'], sea: ['F'], coast: ['A', 'F'] };

/** Return the notation of a place of the data: `stp(sc)` -> `STP/SC`. */
const place = (name: string): string => name.toUpperCase().replace('(', '/').replace(')', '');

const reaches = new Map<string, string[]>();
for (const line of data.trim().split('\n').slice(1)) {
  const [one = '', two = '', terrain = ''] = line.trim().split(',');
  for (const kind of TERRAINS[terrain] ?? []) {
    for (const [from, to] of [[one, two], [two, one]] as const) {
      const unit = `${kind} ${place(from)}`;
      reaches.set(unit, [...(reaches.get(unit) ?? []), place(to)]);
    }
  }
}

/** Return the places to which a unit can move. */
export const reach = ({ kind, at }: UnitName): readonly string[] => reaches.get(`${kind} ${at}`) ?? [];
