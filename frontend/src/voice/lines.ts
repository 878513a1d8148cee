/** The lines of a match that are new at the moment that may be told: its comments or, without any, its sentences. */

import { countedLines } from '../episode/story/facts';
import type { StoryLine } from '../episode/story/storyLog';
import type { View } from '../episode/watch.svelte';
import { plain } from '../lib/text';

export interface Line {
  readonly seq: number;
  readonly text: string;
  readonly importance: number;
  /** Who says it: `analyst`, or '' for the commentator. */
  readonly speaker: string;
}

/** The importance of a sentence of a match without a story. */
const SENTENCE = 0.3;
const LONGEST = 400;

/** What the lines are made from: a part of the view. */
export type Narrated = Pick<View, 'story'> & { readonly seq: number };

/** Return the comments that are spoken: promises given and kept are counted on the page, and not read out one by one. */
function spoken({ story }: Narrated): StoryLine[] {
  const counted = countedLines(story);
  return story.lines.filter((line) => line.kind === null && !counted.has(line));
}

const keyOf = ({ seq, text }: StoryLine): string => `${seq} ${text}`;

export class Lines {
  /** Lines about this number or earlier ones were told before this viewer listened. */
  #floor = -1;
  #last = -1;
  /** The private comments of a turn have one number, so their words tell them apart. */
  #spoken = new Set<string>();

  constructor(
    /** Return the sentence of a step, or ''. */
    private readonly sentence: (seq: number) => string,
  ) {}

  /** Start after the moment `seq`. */
  skipTo(seq: number): void {
    this.#floor = this.#last = seq;
    this.#spoken.clear();
  }

  /** Return the lines that may be told now and have not been returned before, in order. */
  next(narrated: Narrated): Line[] {
    const comments = spoken(narrated);
    const first = this.#last + 1;
    this.#last = Math.max(this.#last, narrated.seq);
    if (!comments.length) return this.#sentences(narrated, first);
    const lines = comments.filter(
      (line) => line.about > this.#floor && line.about <= narrated.seq && !this.#spoken.has(keyOf(line)),
    );
    for (const line of lines) this.#spoken.add(keyOf(line));
    return lines.map(({ seq, text, importance, speaker }) => ({
      seq,
      text: plain(text, LONGEST),
      importance,
      speaker,
    }));
  }

  /** Return the numbers of the next comments after the moment that is told: their clips are fetched early. */
  coming(narrated: Narrated, count: number): number[] {
    const lines = spoken(narrated).filter(({ about }) => about > narrated.seq);
    return lines.slice(0, count).map(({ seq }) => seq);
  }

  #sentences({ seq: last }: Narrated, first: number): Line[] {
    const lines: Line[] = [];
    for (let seq = first; seq <= last; seq++) {
      const text = this.sentence(seq);
      if (text) lines.push({ seq, text, importance: SENTENCE, speaker: '' });
    }
    return lines;
  }
}
