import { describe, expect, it } from 'vitest';

import type { Chapter, Sentence } from '../episode/story/chapters';
import type { Letter } from '../episode/story/messages';
import { board } from '../testing/episode';
import { captionsOf, nextCaption, sceneOf, timeOf, type Scene } from './captions';

const names = board.names();
const line = (about: number, importance: number): Sentence => ({
  about,
  text: `line ${about}`,
  importance,
  links: [about],
  mark: null,
  by: '',
  speaker: '',
});
const letter = (seq: number, more: Partial<Letter> = {}): Letter => ({
  seq,
  round: 1,
  turn: 't1',
  sender: 'north',
  recipients: ['south'],
  public: false,
  text: `letter ${seq}`,
  promises: [],
  fates: [],
  ...more,
});
const lie = [{ promise: 'x', fate: 'open' as const, lie: true }];
const beat = (title: string, first: number, last: number, lines: Sentence[] = []) => ({ title, first, last, lines });
const chapter = (beats: Chapter['beats'], headline: Sentence | null = null): Chapter => ({
  title: '1901',
  first: beats[0]?.first ?? 0,
  last: beats.at(-1)?.last ?? 0,
  headline,
  beats,
});
const reader = (letters: Letter[] = [], promises = '') => ({
  letters: ({ first, last }: { first: number; last: number }) =>
    letters.filter(({ seq }) => seq >= first && seq <= last),
  promises: () => promises,
});
const scene = (more: Partial<Scene>): Scene => ({ chapter: '1901', lines: [], letters: [], promises: '', ...more });
const texts = (of: Scene): string[] => captionsOf(of, names).map(({ text }) => text);

describe('the scene', () => {
  it('names the analyst as the second speaker', () => {
    const lines = [{ ...line(3, 0.9), speaker: 'analyst' }, line(4, 0.5)];
    const captions = captionsOf({ chapter: '1902', lines, letters: [], promises: '' }, names);
    expect(captions.map(({ speaker, analyst }) => [speaker, analyst])).toEqual([
      ['Analyst', true],
      ['', false],
    ]);
  });

  it('is the last part of the story that tells something, with the headline in its place', () => {
    const all = [chapter([beat('Spring', 1, 4, [line(2, 0.3)]), beat('Fall', 5, 9)], line(3, 0.9))];
    expect(sceneOf(all, reader())?.lines.map(({ about }) => about)).toEqual([3, 2]);
    expect(sceneOf(all, reader([letter(6)]))).toMatchObject({ lines: [], letters: [{ seq: 6 }] });
    expect(sceneOf([], reader())).toBeNull();
  });
});

describe('the captions', () => {
  it('are the letters of the round that is on, with what is at stake first, and who speaks', () => {
    const letters = [letter(2, { round: 2 }), letter(4), letter(4, { fates: lie, text: 'a lie' })];
    const captions = captionsOf(scene({ letters, lines: [] }), names);
    expect(captions.map(({ text, lie: noted }) => [text, noted])).toEqual([
      ['a lie', true],
      ['letter 4', false],
    ]);
    expect(captions[0]?.speaker).toBe('north to south');
  });

  it('are what came of it as soon as that is told, with the promises last', () => {
    expect(texts(scene({ letters: [letter(2)], lines: [line(5, 0.9), line(4, 0.3)], promises: 'All kept.' }))).toEqual([
      'line 5',
      'line 4',
      'All kept.',
    ]);
  });

  it('are shown once each, as long as they take to read', () => {
    const [first, second] = captionsOf(scene({ lines: [line(5, 0.9), line(4, 0.3)] }), names);
    expect(
      nextCaption(
        [first, second].flatMap((one) => one ?? []),
        new Set([first?.key ?? '']),
      ),
    ).toBe(second);
    expect(nextCaption([], new Set())).toBeNull();
    const letters = captionsOf(scene({ letters: [letter(9)] }), names);
    expect(nextCaption(letters, new Set(), first)).toBe(first);
    expect(nextCaption(letters, new Set([first?.key ?? '']), first)?.text).toBe('letter 9');
    const long = { ...(first as NonNullable<typeof first>), text: 'word '.repeat(20) };
    expect([timeOf(long), timeOf({ ...long, text: 'Out!' }), timeOf({ ...long, text: 'word '.repeat(99) })]).toEqual([
      7, 3.5, 9,
    ]);
  });
});
