/** The captions of a broadcast: what is told of the part of the story that is on, one after another. Pure. */

import type { Names } from '../boards/game';
import type { Chapter, Sentence } from '../episode/story/chapters';
import type { Letter } from '../episode/story/messages';
import { stakeOf, wordsIn } from '../episode/story/selection';
import { listed } from '../lib/say';

/** The part of the story that is on. */
export interface Scene {
  readonly chapter: string;
  /** The most important first. */
  readonly lines: readonly Sentence[];
  /** The letters that are shown, in order. */
  readonly letters: readonly Letter[];
  /** The sentence about promises, or ''. */
  readonly promises: string;
}

export interface Caption {
  /** Identifies the caption, so that each is shown once. */
  readonly key: string;
  readonly text: string;
  /** Who speaks: `Italy to Austria` for a letter, or the analyst. */
  readonly speaker: string;
  readonly analyst: boolean;
  readonly seat: string | null;
  /** Whether the letter is a noted lie. */
  readonly lie: boolean;
  readonly mark: Sentence['mark'];
}

/** What the letters and promises of a part of a chapter are read with. */
export interface Reader {
  letters(part: Chapter['beats'][number]): readonly Letter[];
  promises(part: Chapter['beats'][number]): string;
}

/** The most parts that are looked through for something to tell. */
const BACK = 3;

/** Return the last part of the story in which something has been told. */
export function sceneOf(chapters: readonly Chapter[], reader: Reader): Scene | null {
  const parts = chapters.flatMap((chapter) => chapter.beats.map((beat) => ({ chapter, beat })));
  for (const { chapter, beat } of parts.slice(-BACK).reverse()) {
    const { headline, title } = chapter;
    const own = headline && headline.about >= beat.first && headline.about <= beat.last ? [headline] : [];
    const lines = [...own, ...beat.lines].sort((a, b) => b.importance - a.importance || a.about - b.about);
    const letters = reader.letters(beat);
    if (lines.length || letters.length) return { chapter: title, lines, letters, promises: reader.promises(beat) };
  }
  return null;
}

/** Return the captions of a scene: its letters while players still write, and then what came of it. */
export function captionsOf({ lines, letters, promises }: Scene, names: Names): Caption[] {
  const last = letters.at(-1)?.seq ?? -1;
  const told = lines.filter(({ about }) => about > last);
  if (letters.length && !told.length) {
    const round = letters.filter(({ round: number }) => number === letters.at(-1)?.round);
    return [...round].sort((a, b) => stakeOf(b) - stakeOf(a)).map((letter) => spoken(letter, names));
  }
  const captions = (told.length ? told : lines).map(({ about, mark, text, speaker }): Caption => ({
    key: `${about} ${text}`,
    text,
    speaker: speaker && 'Analyst',
    analyst: speaker !== '',
    seat: null,
    lie: false,
    mark,
  }));
  const sum = {
    key: `${last} ${promises}`,
    text: promises,
    speaker: '',
    analyst: false,
    seat: null,
    lie: false,
    mark: null,
  };
  return promises ? [...captions, sum] : captions;
}

function spoken(letter: Letter, names: Names): Caption {
  const name = (seat: string): string => names.seat(seat).name;
  const to = letter.public ? 'all' : listed(letter.recipients.map(name));
  return {
    key: `${letter.seq} ${letter.sender} ${letter.text}`,
    text: letter.text,
    speaker: `${name(letter.sender)} to ${to}`,
    analyst: false,
    seat: letter.sender,
    lie: letter.fates.some(({ lie }) => lie),
    mark: null,
  };
}

/**
 * Return the first of `captions` that was not shown yet, or null. What came of a part, `owed`, is told before the letters
 * of the next part, which come at once.
 */
export function nextCaption(
  captions: readonly Caption[],
  shown: ReadonlySet<string>,
  owed: Caption | null = null,
): Caption | null {
  const due = owed && captions[0]?.seat ? [owed] : [];
  return [...due, ...captions].find(({ key }) => !shown.has(key)) ?? null;
}

const SHORTEST = 3.5;
const LONGEST = 9;
/** Seconds to read a word. */
const WORD = 0.3;

/** Return the seconds for which a caption stays at least. */
export const timeOf = ({ text }: Caption): number => Math.min(LONGEST, Math.max(SHORTEST, 1 + wordsIn(text) * WORD));
