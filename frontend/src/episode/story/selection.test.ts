import { describe, expect, it } from 'vitest';

import type { Letter } from './messages';
import { chooseLetters, chooseLines, stakeOf, wordsIn } from './selection';

const line = (about: number, importance: number, text = `line ${about}`, speaker = '') => ({
  about,
  importance,
  text,
  speaker,
});

describe('the lines that are told', () => {
  it('are the most important ones, first of all the greatest, and of two the later', () => {
    const lines = [line(1, 0.3), line(2, 0.12), line(3, 0.9), line(4, 0.3)];
    expect(chooseLines(lines).map(({ about }) => about)).toEqual([3, 4, 1]);
  });

  it('are few enough to be read', () => {
    const long = (about: number, importance: number) => line(about, importance, `${about} ${'word '.repeat(9)}`);
    const chosen = chooseLines([long(1, 0.9), long(2, 0.8), long(3, 0.7), line(4, 0.5)]);
    expect(chosen.map(({ about }) => about)).toEqual([1, 2, 4]);
    expect(chooseLines([1, 2, 3, 4, 5, 6].map((about) => line(about, 0.5)))).toHaveLength(3);
  });

  it('have at least the first one at any length, and none twice', () => {
    expect(chooseLines([line(1, 0.9, 'word '.repeat(90))])).toHaveLength(1);
    expect(chooseLines([line(1, 0.9, 'same'), line(2, 0.8, 'same')])).toHaveLength(1);
  });

  it('have one of the analyst beside the news, within thirty-two words in all', () => {
    const words = (count: number): string => 'word '.repeat(count);
    const first = line(3, 0.3, `why ${words(10)}`, 'analyst');
    const news = [line(1, 0.9, `a ${words(13)}`), line(2, 0.5, `b ${words(6)}`), line(4, 0.45, 'c')];
    const chosen = chooseLines([...news, first, line(5, 0.28, 'less so', 'analyst')]);
    expect(chosen.map(({ about }) => about)).toEqual([1, 2, 3]);
    const long = line(3, 0.6, `why ${words(16)}`, 'analyst');
    expect(chooseLines([...news, long]).map(({ about }) => about)).toEqual([1, 3, 4]);
    expect(chooseLines([line(1, 0.9), line(3, 0.6, `why ${words(20)}`, 'analyst')])).toHaveLength(1);
  });

  it('are none where nothing mattered', () => {
    expect(chooseLines([line(1, 0.2)])).toEqual([]);
    expect(chooseLines([line(1, 0)], 0)).toHaveLength(1);
  });

  it('counts words as a reader does', () => {
    expect(wordsIn(' Italy takes\nVienna. ')).toBe(3);
  });
});

const letter = (seq: number, sender: string, to: string, more: Partial<Letter> = {}): Letter => ({
  seq,
  round: 1,
  turn: 'S1901M',
  sender,
  recipients: [to],
  public: false,
  text: 'A word.',
  promises: [],
  fates: [],
  ...more,
});
const lie = [{ promise: 'A VEN H', fate: 'open' as const, lie: true }];
const promise = [{ promise: 'A VEN H', fate: 'open' as const, lie: false }];
const broken = [{ promise: 'A VEN H', fate: 'broken' as const, lie: false }];
const seqs = (letters: readonly Letter[]): number[] => letters.map(({ seq }) => seq);

describe('the letters that are shown at once', () => {
  it('are those with the most at stake, in order', () => {
    const all = [
      letter(1, 'A', 'B'),
      letter(2, 'C', 'D', { fates: promise }),
      letter(3, 'E', 'F', { fates: lie }),
      letter(4, 'G', 'H'),
    ];
    expect(seqs(chooseLetters(all))).toEqual([2, 3]);
  });

  it('are two of a round, and three where the third is grave', () => {
    const all = [letter(1, 'A', 'B'), letter(2, 'C', 'D', { fates: lie }), letter(3, 'E', 'F', { fates: broken })];
    expect(seqs(chooseLetters([...all, letter(4, 'G', 'H')]))).toHaveLength(2);
    expect(seqs(chooseLetters([...all, letter(4, 'G', 'H', { public: true })]))).toEqual([2, 3, 4]);
    const later = all.map((each) => ({ ...each, seq: each.seq + 10, round: 0 }));
    expect(seqs(chooseLetters([...all, ...later]))).toEqual([2, 3, 12, 13]);
  });

  it('are of different pairs', () => {
    const all = [letter(1, 'A', 'B', { fates: lie }), letter(2, 'B', 'A', { fates: broken }), letter(3, 'C', 'D')];
    expect(seqs(chooseLetters(all))).toEqual([1, 3]);
  });

  it('weigh more between those who may win', () => {
    const chances = { A: 0.5, B: 0.3, C: 0.1 };
    expect(stakeOf(letter(1, 'A', 'B'), chances)).toBeGreaterThan(stakeOf(letter(1, 'A', 'C'), chances));
  });
});
