import fc from 'fast-check';
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
    const long = (about: number, importance: number) => line(about, importance, `${about} ${'word '.repeat(13)}`);
    const chosen = chooseLines([long(1, 0.9), long(2, 0.8), long(3, 0.7), line(4, 0.5, 'short')]);
    expect(chosen.map(({ about }) => about)).toEqual([1, 2, 4]);
    expect(chooseLines([1, 2, 3, 4, 5, 6].map((about) => line(about, 0.9 - about / 10)))).toHaveLength(4);
    expect(chooseLines([1, 2, 3, 4, 5, 6].map((about) => line(about, 0.5)))).toHaveLength(4);
  });

  it('have the end of a match, whatever was as important before it', () => {
    expect(chooseLines([1, 2, 3, 4, 5, 6].map((about) => line(about, 1)))).toHaveLength(6);
  });

  it('have each that is more important than those before it, at any length, and none twice', () => {
    const lines = [1, 2, 3, 4, 5, 6].map((about) => line(about, about / 10 + 0.3, `${about} ${'word '.repeat(90)}`));
    expect(chooseLines(lines)).toHaveLength(6);
    expect(chooseLines([line(1, 0.9, 'same'), line(2, 0.8, 'same')])).toHaveLength(1);
  });

  it('stay when more happens', () => {
    const weighed = fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 20 }), fc.nat(30), fc.boolean());
    fc.assert(
      fc.property(fc.array(weighed, { maxLength: 40 }), (all) => {
        const lines = all.map(([about, weight, words, insight], n) =>
          line(about, weight / 20, `${n} ${'word '.repeat(words)}`, insight ? 'analyst' : ''),
        );
        let before: readonly { text: string }[] = [];
        for (let head = 0; head <= 30; head++) {
          const told = chooseLines(lines.filter(({ about }) => about <= head));
          expect(told).toEqual(expect.arrayContaining([...before]));
          before = told;
        }
      }),
    );
  });

  it('have of the analyst what is short and more important than before', () => {
    const words = (count: number): string => 'word '.repeat(count);
    const insight = (about: number, importance: number, count: number) =>
      line(about, importance, `${about} ${words(count)}`, 'analyst');
    const news = [line(1, 0.9), line(2, 0.5)];
    const analysis = [insight(3, 0.3, 10), insight(4, 0.28, 3), insight(5, 0.9, 20), insight(6, 0.4, 19)];
    expect(chooseLines([...news, ...analysis]).map(({ about }) => about)).toEqual([1, 2, 6, 3]);
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
