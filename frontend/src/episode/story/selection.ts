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
 * The most words and lines of a beat, of which a match that is paced for viewers has some three a minute. The first line
 * is told at any length. One more line is the analyst's, so that it need not be louder than the news, within 32 words in
 * all.
 */
const WORDS = 22;
const LINES = 3;
const ANALYSIS = 20;
const ALL = 32;

export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Return the lines of a beat that are told, from an importance of `bar`: the most important first, of two the later. */
export function chooseLines<L extends Weighed>(lines: readonly L[], bar = BAR): L[] {
  const sorted = lines
    .filter(({ importance }) => importance >= bar)
    .sort((a, b) => b.importance - a.importance || b.about - a.about);
  const insight = sorted.find(({ speaker, text }) => speaker && wordsIn(text) <= ANALYSIS);
  const chosen: L[] = [];
  const room = Math.min(WORDS, ALL - wordsIn(insight?.text ?? ''));
  let words = 0;
  for (const line of sorted) {
    if (line !== insight && line.speaker) continue;
    if (line === insight) {
      chosen.push(line);
      continue;
    }
    const longer = words + wordsIn(line.text);
    const news = chosen.filter(({ speaker }) => !speaker);
    if (news.length === LINES || news.some(({ text }) => text === line.text) || (news.length && longer > room))
      continue;
    words = longer;
    chosen.push(line);
  }
  return chosen;
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
