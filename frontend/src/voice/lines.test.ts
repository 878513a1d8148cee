import { describe, expect, it } from 'vitest';

import type { Letter } from '../episode/story/messages';
import { StoryLog } from '../episode/story/storyLog';
import { EMPTY, reduce, type Store } from '../episode/record/store';
import { event } from '../testing/episode';
import type { Event } from '../types.gen';
import { Lines, type Line, type Narrated } from './lines';

const comment = (seq: number, restsOn: number[], importance = 0.5): Event =>
  event(seq, 'CommentAdded', { text: `comment ${seq}`, importance, rests_on: restsOn, beat: 'ball' });
const added = (seq: number): Event => event(seq, 'Added', { by: seq });

const MATCH = [
  event(0, 'EpisodeCreated', { title: 'A test' }),
  added(1),
  comment(2, [1]),
  added(3),
  added(4),
  comment(5, [4]),
  comment(6, [3]),
];

const storeOf = (events: Event[]): Store =>
  reduce(EMPTY, { do: 'frames', frames: events.map((item) => ({ frame: 'event', event: item })) });

/** Return what is narrated at `seq` of a story that puts all lines first but those of the numbers `behind`. */
function narratedAt(
  log: StoryLog,
  store: Store,
  seq: number,
  letters: readonly Letter[] = [],
  behind: readonly number[] = [],
): Narrated {
  const story = log.read(store);
  const lines = story.lines
    .filter((line) => line.about <= seq && !behind.includes(line.seq))
    .map((line) => ({ ...line, links: [], mark: null }));
  return { story, seq, foremost: () => ({ lines, letters }) };
}

const WHO: Record<string, string> = { GERMANY: 'Bismarck', AUSTRIA: 'Andrassy', ITALY: 'Italy' };
const who = (seat: string): string => WHO[seat] ?? seat;

const letter = (seq: number, sender: string, recipients: string[], more: Partial<Letter> = {}): Letter => ({
  ...{
    seq,
    sender,
    recipients,
    text: `Words ${seq}.`,
    turn: 'S1901M',
    public: false,
    promises: [],
    round: 1,
    fates: [],
  },
  ...more,
});

function setUp(): { lines: Lines; at: (seq: number, events?: Event[]) => number[] } {
  const lines = new Lines((seq) => (seq ? `sentence ${seq}` : ''), who);
  const log = new StoryLog();
  return {
    lines,
    at: (seq, events = MATCH) => lines.next(narratedAt(log, storeOf(events), seq)).map((line) => line.seq),
  };
}

describe('the lines of a match', () => {
  it('come with the moment they are about, not with their own number', () => {
    const { lines, at } = setUp();
    lines.skipTo(0);
    expect(at(1)).toEqual([2]);
    expect(at(3)).toEqual([6]);
    expect(at(4)).toEqual([5]);
    expect(at(6)).toEqual([]);
  });

  it('are told once, also those that arrive after their moment was shown', () => {
    const { lines, at } = setUp();
    lines.skipTo(0);
    expect(at(4, MATCH.slice(0, 5))).toEqual([2]);
    expect(at(4)).toEqual([6, 5]);
    expect(at(6)).toEqual([]);
  });

  it('are not told again when the record is read anew', () => {
    const lines = new Lines(() => '', who);
    lines.skipTo(0);
    const read = (): number[] => lines.next(narratedAt(new StoryLog(), storeOf(MATCH), 4)).map((line) => line.seq);
    expect([read(), read()]).toEqual([[2, 6, 5], []]);
  });

  it('begin after the moment at which a viewer comes in, and again after a scrub', () => {
    const { lines, at } = setUp();
    lines.skipTo(3);
    expect(at(6)).toEqual([5]);
    lines.skipTo(0);
    expect(at(3)).toEqual([2, 6]);
  });

  it('are the sentences of a match that has no comments', () => {
    const { lines, at } = setUp();
    const silent = [event(0, 'EpisodeCreated', { title: 'A test' }), added(1), added(2)];
    lines.skipTo(0);
    expect(at(1, silent)).toEqual([1]);
    expect(at(2, silent)).toEqual([2]);
  });

  it('are only those that the story puts first when they come in', () => {
    const { lines } = setUp();
    const log = new StoryLog();
    lines.skipTo(0);
    const told = (seq: number, behind: number[]): number[] =>
      lines.next(narratedAt(log, storeOf(MATCH), seq, [], behind)).map((line) => line.seq);
    expect(told(3, [6])).toEqual([2]);
    expect(told(4, [])).toEqual([5]);
  });

  it('are the facts of a story without comments', () => {
    const { lines, at } = setUp();
    const fact = event(2, 'FactNoted', {
      kind: 'stab',
      text: 'A stab.',
      importance: 0.7,
      rests_on: [1],
      seats: [],
      data: {},
    });
    lines.skipTo(0);
    expect(at(1, [...MATCH.slice(0, 2), fact])).toEqual([2]);
  });

  it('that come next are known, so that their clips are fetched early', () => {
    const { lines } = setUp();
    const narrated = narratedAt(new StoryLog(), storeOf(MATCH), 1);
    expect(lines.coming(narrated, 1)).toEqual([6]);
    expect(lines.coming(narrated, 9)).toEqual([6, 5]);
    const dull = narratedAt(new StoryLog(), storeOf([...MATCH, comment(7, [4], 0.1)]), 1);
    expect(lines.coming(dull, 9)).toEqual([6, 5]);
  });
});

describe('the letters of a match', () => {
  const at = (lines: Lines, seq: number, letters: readonly Letter[]): Line[] =>
    lines.next(narratedAt(new StoryLog(), storeOf(MATCH), seq, letters));

  it('are read once, in order among the comments, by who wrote them', () => {
    const { lines } = setUp();
    lines.skipTo(0);
    const letters = [
      letter(3, 'GERMANY', ['AUSTRIA']),
      letter(3, 'GERMANY', ['ITALY', 'AUSTRIA']),
      letter(3, 'ITALY', [], { public: true }),
    ];
    const told = at(lines, 4, letters);
    expect(told.map(({ text, speaker }) => [text, speaker])).toEqual([
      ['comment 2', ''],
      ['Words 3.', 'Bismarck'],
      ['Words 3.', 'Bismarck'],
      ['Words 3.', 'Italy'],
      ['comment 6', ''],
      ['comment 5', ''],
    ]);
    expect(told.flatMap((line) => line.letter ?? [])).toEqual([
      { lead: 'Bismarck to Andrassy:', turn: 'S1901M', public: false },
      { lead: 'Bismarck to Italy and Andrassy:', turn: 'S1901M', public: false },
      { lead: 'Italy to all:', turn: 'S1901M', public: true },
    ]);
    expect(at(lines, 6, letters)).toEqual([]);
  });

  it('are more important the more is at stake, and an ordinary one less than a comment that is told', () => {
    const { lines } = setUp();
    lines.skipTo(0);
    const lie = [{ promise: 'A VEN H', fate: 'open' as const, lie: true }];
    const [usual, lied] = at(lines, 1, [
      letter(1, 'GERMANY', ['AUSTRIA']),
      letter(1, 'ITALY', ['AUSTRIA'], { fates: lie }),
    ]).filter((line) => line.letter);
    expect(usual?.importance).toBeLessThan(0.25);
    expect(lied?.importance).toBeGreaterThan(0.5);
  });

  it('before the moment at which a viewer comes in are not read', () => {
    const { lines } = setUp();
    lines.skipTo(3);
    const letters = [letter(3, 'GERMANY', ['AUSTRIA']), letter(4, 'ITALY', ['AUSTRIA'])];
    expect(at(lines, 4, letters).flatMap((line) => (line.letter ? line.seq : []))).toEqual([4]);
  });
});
