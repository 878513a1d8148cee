/** The words of a picture: names, labels, and the size at which a label fits. */

import { plain } from '../../lib/text';
import type { Place, Thing } from './picture.gen';

const CHARACTER = 0.54;
const SUIT = /^(10|[2-9TJQKA]) ?([♠♣♥♦])$/u;

/** Return the label as it may be shown. */
export const labelOf = ({ label = '' }: Place | Thing): string => plain(label.replace(/[\ufe0e\ufe0f]/g, ''), 40);

/** Return the name for screen readers and hints. */
export const nameOf = (each: Place | Thing): string =>
  plain(each.name ?? '', 80) || labelOf(each) || plain(each.id, 80);

/** Return the font size at which `text` fits into the width `room`; at most `most`. */
export const fit = (text: string, room: number, most: number): number =>
  Math.min(most, room / (CHARACTER * Math.max(1, [...text].length)));

/** A card of a French deck. */
export interface French {
  readonly rank: string;
  readonly suit: string;
  readonly red: boolean;
}

/** Return rank and suit of a card with this label, or null if it is of another deck. */
export function french(label: string): French | null {
  const [, rank = '', suit = ''] = SUIT.exec(label) ?? [];
  return suit ? { rank: rank === 'T' ? '10' : rank, suit, red: suit === '♥' || suit === '♦' } : null;
}
