/**
 * The story of a match as its game publishes it: facts, comments and the outlook. A fact is told with the last event
 * that it rests on, which is before its own number: what a viewer may be told depends on what has been shown.
 */

import { parts, STORY_TYPES } from '../show/parts';
import { coreData } from '../record/matchInfo';
import type { Store } from '../record/store';
import type { Event, OutlookUpdated } from '../../types.gen';

/** A fact or a comment. */
export interface StoryLine {
  readonly seq: number;
  /** The number of the last event that it rests on. */
  readonly about: number;
  readonly restsOn: readonly number[];
  readonly text: string;
  readonly importance: number;
  /** The kind of a fact, as a word of the game; null for a comment. */
  readonly kind: string | null;
  /** The kind of what a comment tells, '' for no kind; null for a fact, and for comments of older records. */
  readonly tells: string | null;
  /** Who says it: `analyst`, or '' for the commentator. */
  readonly speaker: string;
  /** The player of the roster that worded a comment; '' for the game's own commentator and for facts. */
  readonly by: string;
  /** The seats that it concerns, the one that did it first; empty for comments of older records. */
  readonly seats: readonly string[];
}

/** The outlook after the event `about`. */
export interface Prospect extends OutlookUpdated {
  readonly about: number;
}

export interface Story {
  readonly lines: readonly StoryLine[];
  readonly prospects: readonly Prospect[];
  /** The importance of each number that lines rest on, where the game states one. */
  readonly importance: ReadonlyMap<number, number>;
}

/** The next turn begins before the story of the last one is published. */
const NOT_TOLD: ReadonlySet<string> = new Set([...STORY_TYPES, 'TurnStarted']);

export class StoryLog {
  /** The object is replaced when it changes. */
  story: Story = { lines: [], prospects: [], importance: new Map() };
  #generation = -1;
  #taken = 0;
  /** The last number of which a story may be told. */
  #last = 0;

  /** Read the events of `store` that have arrived without a gap. */
  read(store: Store): Story {
    if (store.generation !== this.#generation) {
      this.#generation = store.generation;
      this.#taken = 0;
      this.#last = 0;
      this.story = { lines: [], prospects: [], importance: new Map() };
    }
    const lines: StoryLine[] = [];
    const prospects: Prospect[] = [];
    for (; this.#taken < store.filled; this.#taken++) {
      const slot = store.slots[this.#taken];
      if (!slot) continue;
      const all = parts(slot);
      if (!all.every(({ type }) => NOT_TOLD.has(type))) this.#last = this.#taken;
      for (const part of all) {
        const line = lineOf(part, this.#last);
        if (line) lines.push(line);
        const outlook = coreData(part, 'OutlookUpdated');
        if (outlook) prospects.push({ ...outlook, about: aboutOf(outlook.rests_on, part.seq, this.#last) });
      }
    }
    if (lines.length || prospects.length) this.#add(lines, prospects);
    return this.story;
  }

  #add(lines: readonly StoryLine[], prospects: readonly Prospect[]): void {
    const importance = new Map(this.story.importance);
    for (const { about, importance: value } of lines)
      importance.set(about, Math.max(value, importance.get(about) ?? 0));
    this.story = {
      lines: [...this.story.lines, ...lines].sort((a, b) => a.about - b.about || a.seq - b.seq),
      prospects: [...this.story.prospects, ...prospects],
      importance,
    };
  }
}

function lineOf(event: Event, last: number): StoryLine | null {
  const data = coreData(event, 'FactNoted') ?? coreData(event, 'CommentAdded');
  if (!data) return null;
  const { text, importance, rests_on: restsOn } = data;
  const fact = coreData(event, 'FactNoted');
  const comment = coreData(event, 'CommentAdded');
  return {
    seq: event.seq,
    about: aboutOf(restsOn, event.seq, last),
    restsOn,
    text,
    importance,
    kind: fact?.kind ?? null,
    tells: comment?.kind ?? null,
    speaker: comment?.speaker ?? '',
    by: comment?.by ?? '',
    seats: data.seats ?? [],
  };
}

/** Return the last number of `restsOn`, at most `seq`; `last` where an older record names none. */
function aboutOf(restsOn: readonly number[] | undefined, seq: number, last: number): number {
  return Math.min(seq, restsOn?.length ? Math.max(...restsOn) : last);
}

/** Return the last outlook that may be told at `seq`, or null. */
export function outlookAt(story: Story, seq: number): Prospect | null {
  return story.prospects.findLast(({ about }) => about <= seq) ?? null;
}
