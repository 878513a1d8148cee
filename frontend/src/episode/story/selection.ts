/** What the story tells of all that happened: chosen by its stakes, not by its order. Pure. */

import type { Letter } from './messages';

/** What a choice between lines depends on. */
export interface Weighed {
  readonly about: number;
  readonly text: string;
  readonly importance: number;
  /** Who says it: `analyst`, or '' for the commentator. */
  readonly speaker: string;
}

/** Lines of less importance are in the log only. */
export const BAR = 0.25;
/**
 * The most lines and words of a beat beside its most important line: of those that are as important as each of them or
 * more, up to its moment.
 */
const LINES = 3;
const WORDS = 22;
/** What is always told: the end of a match, whatever was as important before it. */
const DECISIVE = 1;
/** The most words of a line of the analyst, who is heard beside the news only with what is more important than before. */
const ANALYSIS = 20;

export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Order lines by importance, the greatest first, and of two the later. */
export const byImportance = (a: Weighed, b: Weighed): number => b.importance - a.importance || b.about - a.about;

/**
 * Return the lines of a beat that are told, from an importance of `bar`: the most important first, of two the later.
 *
 * They are chosen in the order in which things happened, and what is told once stays: a reader sees no line vanish.
 */
export function chooseLines<L extends Weighed>(lines: readonly L[], bar = BAR): L[] {
  const told: L[] = [];
  for (const line of lines.toSorted((a, b) => a.about - b.about || byImportance(a, b)))
    if (line.importance >= bar && hasRoom(line, told)) told.push(line);
  return told.sort(byImportance);
}

/** Return whether `line` is told after those that are told of a beat already. */
function hasRoom(line: Weighed, told: readonly Weighed[]): boolean {
  const length = wordsIn(line.text);
  if (told.some(({ text }) => text === line.text) || (line.speaker && length > ANALYSIS)) return false;
  const before = told
    .filter(({ speaker, importance }) => !speaker === !line.speaker && importance >= line.importance)
    .sort(byImportance);
  if (!before.length || line.importance >= DECISIVE) return true;
  if (line.speaker) return false;
  const beside = before.slice(1);
  return beside.length < LINES && beside.reduce((sum, { text }) => sum + wordsIn(text), length) <= WORDS;
}

/** The most letters of a round that are shown: the third only if it is a lie, a broken promise or written to all. */
const LETTERS = 2;
const MOST_LETTERS = 3;
/** The stake from which a letter is shown beyond the usual number. */
const GRAVE = 2;
const LIE = 4;
const BROKEN = 3;
const TO_ALL = 2;
const PROMISE = 0.5;
/** The number of characters from which a letter counts as long: it has more to say. */
const LONG = 240;

/** Return how much depends on a letter: a lie, a promise, who reads it, and the chances of those who correspond. */
export function stakeOf(
  { sender, recipients, text, fates, public: all }: Letter,
  chances: Readonly<Record<string, number>> = {},
): number {
  const lie = fates.some((fate) => fate.lie) ? LIE : 0;
  const broken = fates.some(({ fate }) => fate === 'broken') ? BROKEN : 0;
  const readers = all ? [] : recipients;
  const chance = [sender, ...readers].reduce((sum, seat) => sum + (chances[seat] ?? 0), 0);
  const promises = Math.min(2, fates.length) * PROMISE;
  return lie + broken + (all ? TO_ALL : 0) + promises + chance + Math.min(1, text.length / LONG) / 2;
}

/** Return the letters of a beat that are shown at once, in order: of each round those with the most at stake. */
export function chooseLetters(letters: readonly Letter[], chances: Readonly<Record<string, number>> = {}): Letter[] {
  const chosen = new Set<Letter>();
  for (const number of new Set(letters.map(({ round }) => round))) {
    const round = letters.filter((letter) => letter.round === number);
    const pairs = new Set<string>();
    let taken = 0;
    const weighed = round.map((letter) => ({ letter, stake: stakeOf(letter, chances) }));
    for (const { letter, stake } of weighed.sort((a, b) => b.stake - a.stake || a.letter.seq - b.letter.seq)) {
      const pair = [letter.sender, ...(letter.public ? [] : letter.recipients)].sort().join();
      if (taken >= (stake >= GRAVE ? MOST_LETTERS : LETTERS)) break;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      taken++;
      chosen.add(letter);
    }
  }
  return letters.filter((letter) => chosen.has(letter));
}
