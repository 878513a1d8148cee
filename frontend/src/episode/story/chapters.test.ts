import { describe, expect, it } from 'vitest';

import { chapters, forkPoint, tellsOf, turningPoints, type Chapter, type StorySources } from './chapters';
import type { StoryLine } from './storyLog';
import { board } from '../../testing/episode';

const YEARS = {
  ...board.names(),
  turn: (turn: string) => ({ title: turn, tick: turn, chapter: turn.slice(0, 1), beat: turn.slice(1) }),
};
const TICKS = [
  { seq: 2, turn: 'A1' },
  { seq: 5, turn: 'A2' },
  { seq: 10, turn: 'B1' },
];
const line = (about: number, importance: number, more: Partial<StoryLine> = {}): StoryLine => ({
  seq: about + 1,
  about,
  restsOn: [about],
  text: `line ${about}`,
  importance,
  kind: null,
  tells: null,
  speaker: '',
  by: '',
  seats: [],
  ...more,
});
const sources = (lines: StoryLine[], more: Partial<StorySources> = {}): StorySources => ({
  story: { lines, prospects: [], importance: new Map() },
  ticks: TICKS,
  marks: [],
  steps: [],
  text: () => null,
  turning: [],
  ...more,
});

const POINT = { after: 3, about: 8, seat: 'north', swing: 0.3, chance: 0.6 };

const told = (chapter: Chapter | undefined): string[] =>
  chapter ? [chapter.headline, ...chapter.beats.flatMap(({ lines }) => lines)].flatMap((line) => line?.text ?? []) : [];

describe('the chapters of a story', () => {
  it('end where the next one begins, and none has begun that has not been seen', () => {
    const all = chapters(YEARS, sources([line(3, 0.3), line(6, 0.4), line(11, 0.5)]), 8);
    expect(all.map(({ title, first, last }) => [title, first, last])).toEqual([['A', 2, 8]]);
    expect(chapters(YEARS, sources([line(3, 0.3), line(11, 0.5)]), 11).map(({ last }) => last)).toEqual([9, 11]);
    expect(told(chapters(YEARS, sources([line(7, 1)]), 6)[0])).toEqual([]);
  });

  it('begin with what mattered most, and tell the rest of each part by its importance', () => {
    const many = [3, 4, 5, 6, 7].map((about) => line(about, about === 4 ? 0.1 : about / 10));
    const [year] = chapters(YEARS, sources(many), 9);
    expect(year?.headline?.about).toBe(7);
    expect(year?.beats.map(({ title, first, last }) => [title, first, last])).toEqual([
      ['1', 2, 4],
      ['2', 5, 9],
    ]);
    expect(year?.beats.map(({ lines }) => lines.map(({ about }) => about))).toEqual([[3], [6, 5]]);
  });

  it('keep who worded each sentence', () => {
    const [year] = chapters(YEARS, sources([line(3, 0.3, { by: 'a model' }), line(4, 0.29)]), 9);
    expect([year?.headline?.by, year?.beats[0]?.lines[0]?.by]).toEqual(['a model', '']);
  });

  it('prefer comments to facts, but leave out no great fact that nobody commented on', () => {
    const lines = [
      line(3, 0.3),
      line(3, 0.9, { kind: 'capture', text: 'commented' }),
      line(5, 0.9, { kind: 'stab', text: 'a stab' }),
      line(6, 0.3, { kind: 'capture', text: 'small' }),
    ];
    const [year] = chapters(YEARS, sources(lines), 9);
    expect(told(year)).toEqual(['a stab', 'line 3']);
    expect(year?.headline?.mark).toBe('betrayal');
  });

  it('call a comment a betrayal only if its own fact is one, and count promises instead of telling them', () => {
    const batch = (importance: number, more: Partial<StoryLine>): StoryLine =>
      line(4, importance, { seq: 7, restsOn: [4], ...more });
    const lines = [
      batch(0.42, { kind: 'promise_broken', text: 'England breaks its word' }),
      batch(0.35, { kind: 'promise_kept', text: 'Germany keeps its word' }),
      batch(0.3, { kind: 'capture', text: 'France takes Belgium' }),
      batch(0.42, { text: 'So much for what France heard' }),
      batch(0.35, { text: 'Just as Germany said' }),
      batch(0.3, { text: 'Belgium is French' }),
    ];
    const marks = [{ seq: 4, kind: 'betrayal' as const, label: '', weight: 2 as const }];
    const [year] = chapters(YEARS, sources(lines, { marks }), 9);
    expect(told(year)).toEqual(['So much for what France heard', 'Belgium is French']);
    expect([year?.headline?.mark, year?.beats[0]?.lines[0]?.mark]).toEqual(['betrayal', null]);
  });

  it('mark turning points, and link to all that a sentence rests on', () => {
    const seats = ['north'];
    const lines = [line(5, 0.3, { seats }), line(6, 0.5, { restsOn: [6, 3], seats }), line(9, 0.9, { seats })];
    const [year] = chapters(YEARS, sources(lines, { turning: [POINT] }), 9);
    const [second] = year?.beats[1]?.lines ?? [];
    expect([year?.headline?.mark, second?.mark]).toEqual([null, 'turning']);
    expect(second?.links).toEqual([3, 6]);
  });

  it('are told from the steps where the record has no story', () => {
    const marks = [{ seq: 4, kind: 'betrayal' as const, label: '', weight: 2 as const }];
    const [year] = chapters(YEARS, sources([], { steps: [3, 4, 6], text: (seq) => `step ${seq}`, marks }), 9);
    expect(told(year)).toEqual(['step 4', 'step 3', 'step 6']);
    expect(year?.headline?.mark).toBe('betrayal');
  });
});

describe('turning points', () => {
  const at = (about: number, north: number) => ({ about, chances: { north, south: 1 - north } });

  it('are the greatest changes, in order, each for the seat that gained', () => {
    const curve = [at(0, 0.5), at(1, 0.52), at(2, 0.9), at(3, 0.2), at(4, 0.3)];
    expect(turningPoints(curve, 2).map(({ about, seat }) => [about, seat])).toEqual([
      [2, 'north'],
      [3, 'south'],
    ]);
  });

  it('are none where nothing turned', () => {
    expect(turningPoints([at(0, 0.5), at(1, 0.51)], 3)).toEqual([]);
    expect(turningPoints([], 3)).toEqual([]);
  });
});

describe('the line about a turning point', () => {
  const north = line(6, 0.3, { text: 'north takes two', seats: ['north', 'south'] });

  it('is about what the seat that gained has done, however loud the others are', () => {
    const loud = line(7, 0.9, { text: 'south strikes west', seats: ['south', 'west'], kind: 'stab' });
    const against = line(7, 0.8, { text: 'south strikes north', seats: ['south', 'north'], kind: 'stab' });
    const early = line(3, 0.9, { text: 'north, before', seats: ['north'] });
    expect(tellsOf([loud, against, early, north], POINT)?.text).toBe('north takes two');
    expect(tellsOf([loud, against, early], POINT)).toBeUndefined();
  });

  it('says that the chance rose only if there is no other', () => {
    const swing = (kind: string) => line(8, 0.95, { text: 'the chance of north rises', seats: ['north'], kind });
    for (const kind of ['swing', 'turning-point']) {
      expect(tellsOf([swing(kind), north], POINT)?.text).toBe('north takes two');
      const bounce = line(6, 0.2, { text: 'north and south bounce', seats: ['north', 'south'] });
      expect(tellsOf([swing(kind), bounce], POINT)?.text).toBe('the chance of north rises');
      expect(tellsOf([bounce], POINT)).toBeUndefined();
    }
  });
});

describe('the moment at which a match that is over is forked', () => {
  const point = (about: number) => ({ after: about - 1, about, seat: 'north', swing: 0.2, chance: 0.5 });

  it('is the last turning point after which turns were played', () => {
    expect(forkPoint([point(3), point(6), point(99)], TICKS)).toBe(6);
  });

  it('is the last turn but one where nothing turned before the end', () => {
    expect(forkPoint([point(99)], TICKS)).toBe(TICKS.at(-2)?.seq);
    expect(forkPoint([], [])).toBeUndefined();
  });
});
