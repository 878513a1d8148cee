/** The reactions of viewers to the moments of a match. Pure. */

import type { Reacted } from '../episode/timeline';
import type { MomentReactions, SendReaction } from '../types.gen';

export type Reaction = SendReaction['reaction'];

/** The reactions and their names, in the order in which they are offered. */
export const REACTIONS: readonly { readonly kind: Reaction; readonly title: string }[] = [
  { kind: 'bravo', title: 'Bravo' },
  { kind: 'ouch', title: 'Ouch' },
  { kind: 'tense', title: 'Tense' },
];

/** Return the reactions to the moment `seq`; null if nobody has reacted to it. */
export function reactionsAt(moments: readonly MomentReactions[], seq: number): MomentReactions | null {
  return moments.find((moment) => moment.seq === seq) ?? null;
}

/** Return the counts of a moment in words, without those that are zero: `Ouch 12, Tense 3`. */
export function countsText({ counts }: MomentReactions): string {
  return REACTIONS.flatMap(({ kind, title }) => (counts[kind] ? [`${title} ${counts[kind]}`] : [])).join(', ');
}

/** Return what the timeline shows of the moments. */
export function reacted(moments: readonly MomentReactions[]): Reacted[] {
  return moments.map((moment) => ({
    seq: moment.seq,
    count: Object.values(moment.counts).reduce((sum, count) => sum + count, 0),
    text: countsText(moment),
  }));
}
