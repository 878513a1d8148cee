/**
 * The lines of a match that are new at the moment that may be told: the comments that its story puts first, and the
 * letters that it shows; without a story, its sentences.
 */

import type { Letter } from '../episode/story/messages';
import { BAR, stakeOf } from '../episode/story/selection';
import type { StoryLine } from '../episode/story/storyLog';
import type { Foremost } from '../episode/story/telling';
import type { View } from '../episode/watch.svelte';
import { listed } from '../lib/say';
import { plain } from '../lib/text';

export interface Line {
  readonly seq: number;
  readonly text: string;
  readonly importance: number;
  /** Who says it: `analyst`, the name of who wrote a letter, or '' for the commentator. */
  readonly speaker: string;
  readonly letter?: Written;
}

/** What is known of a letter beside its words. */
export interface Written {
  /** What the commentator says before its words: `Bismarck to Andrassy:`. */
  readonly lead: string;
  /** The turn in which it was written; after it, the letter is of no use. */
  readonly turn: string;
  /** Whether it is for everybody to read. */
  readonly public: boolean;
}

/** The importance of a sentence of a match without a story. */
const SENTENCE = 0.3;
const LONGEST = 400;
/** The stake of a letter that is as important as a line can be. */
const HIGHEST = 8;

/** What the lines are made from: a part of the view. */
export interface Narrated extends Pick<View, 'story'> {
  readonly seq: number;
  /** Return what the story puts first at `seq`. */
  foremost(): Foremost;
}

/** Return the comments of a story or, while it has none, its facts. */
function comments({ story }: Narrated): readonly StoryLine[] {
  const own = story.lines.filter(({ kind }) => kind === null);
  return own.length ? own : story.lines;
}

const keyOf = ({ seq, text }: StoryLine): string => `${seq} ${text}`;
const wordsOf = ({ about, text }: Pick<StoryLine, 'about' | 'text'>): string => `${about} ${text}`;
const addressOf = ({ seq, sender, recipients }: Letter): string => `${seq} ${sender} to ${recipients.join()}`;

export class Lines {
  /** Lines about this number or earlier ones were told before this viewer listened. */
  #floor = -1;
  #last = -1;
  /** The private comments and letters of a turn have one number, so their words and readers tell them apart. */
  #met = new Set<string>();

  constructor(
    /** Return the sentence of a step, or ''. */
    private readonly sentence: (seq: number) => string,
    /** Return the name of who plays a seat. */
    private readonly who: (seat: string) => string,
  ) {}

  /** Start after the moment `seq`. */
  skipTo(seq: number): void {
    this.#floor = this.#last = seq;
    this.#met.clear();
  }

  /** Return the lines that may be told now and have not been returned before, in order. */
  next(narrated: Narrated): Line[] {
    const [first, seq] = [this.#last + 1, narrated.seq];
    const all = comments(narrated);
    this.#last = Math.max(this.#last, seq);
    const fresh = all.filter((line) => line.about > this.#floor && line.about <= seq && !this.#met.has(keyOf(line)));
    // A line that the story does not put first when it comes in is not told later either.
    for (const line of fresh) this.#met.add(keyOf(line));
    if (!fresh.length && seq < first) return [];
    const foremost = narrated.foremost();
    const told = all.length ? this.#comments(fresh, foremost) : this.#sentences(first, seq);
    return [...this.#letters(foremost), ...told].sort((a, b) => a.at - b.at).map(({ line }) => line);
  }

  /** Return the numbers of the next comments after the moment that is told: their clips are fetched early. */
  coming(narrated: Narrated, count: number): number[] {
    const lines = comments(narrated).filter(({ about, importance }) => about > narrated.seq && importance >= BAR);
    return lines.slice(0, count).map(({ seq }) => seq);
  }

  #comments(fresh: readonly StoryLine[], { lines }: Foremost): Due[] {
    const first = new Set(lines.map(wordsOf));
    return fresh
      .filter((line) => first.has(wordsOf(line)))
      .map(({ about, seq, text, importance, speaker }) => ({
        at: about,
        line: { seq, text: plain(text, LONGEST), importance, speaker },
      }));
  }

  #letters({ letters }: Foremost): Due[] {
    return letters
      .filter((letter) => letter.seq > this.#floor && !this.#met.has(addressOf(letter)))
      .map((letter) => {
        this.#met.add(addressOf(letter));
        const { seq, text, sender, recipients, turn, public: all = false } = letter;
        const speaker = this.who(sender);
        const lead = `${speaker} to ${all ? 'all' : listed(recipients.map(this.who))}:`;
        const importance = Math.min(1, stakeOf(letter) / HIGHEST);
        return {
          at: seq,
          line: { seq, text: plain(text, LONGEST), importance, speaker, letter: { lead, turn, public: all } },
        };
      });
  }

  #sentences(first: number, last: number): Due[] {
    const lines: Due[] = [];
    for (let seq = first; seq <= last; seq++) {
      const text = this.sentence(seq);
      if (text) lines.push({ at: seq, line: { seq, text, importance: SENTENCE, speaker: '' } });
    }
    return lines;
  }
}

/** A line with the number that it tells. */
interface Due {
  readonly at: number;
  readonly line: Line;
}
