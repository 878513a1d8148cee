/** What a comment tells, and which lines are counted instead of told. Pure. */

import type { Story, StoryLine } from './storyLog';

/** Return the facts by the numbers that they rest on. */
export function factsOf({ lines }: Story): ReadonlyMap<number, readonly StoryLine[]> {
  const facts = new Map<number, StoryLine[]>();
  for (const line of lines) {
    if (line.kind === null) continue;
    for (const seq of line.restsOn) facts.set(seq, [...(facts.get(seq) ?? []), line]);
  }
  return facts;
}

/**
 * Return the fact that a comment of an older record words, if any: one that rests on one of the same events, and has
 * its importance.
 */
export function factOf(
  facts: ReadonlyMap<number, readonly StoryLine[]>,
  { restsOn, seq, importance }: StoryLine,
): StoryLine | undefined {
  const apart = (line: StoryLine): number => Math.abs(line.importance - importance);
  const candidates = restsOn.flatMap((at) => facts.get(at) ?? []).filter((line) => line.seq <= seq);
  return candidates.sort((a, b) => apart(a) - apart(b))[0];
}

/** Promises given and kept are counted, not told one by one. */
const COUNTED = /^promise(_kept)?$/;

/** The lines of each story: a story is replaced when it changes. */
const KNOWN = new WeakMap<Story, ReadonlySet<StoryLine>>();

/** Return the lines about promises given and kept, but for those that a player of the roster worded. */
export function countedLines(story: Story): ReadonlySet<StoryLine> {
  const known = KNOWN.get(story);
  if (known) return known;
  const facts = factsOf(story);
  const kindOf = (line: StoryLine): string => line.kind ?? line.tells ?? factOf(facts, line)?.kind ?? '';
  const counted = new Set(story.lines.filter((line) => !line.by && COUNTED.test(kindOf(line))));
  KNOWN.set(story, counted);
  return counted;
}
