import { describe, expect, it } from 'vitest';

import { StoryLog } from '../episode/story/storyLog';
import { EMPTY, reduce, type Store } from '../episode/record/store';
import { event } from '../testing/episode';
import type { Event } from '../types.gen';
import { Lines, type Narrated } from './lines';

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

function narratedAt(log: StoryLog, store: Store, seq: number): Narrated {
  return { story: log.read(store), seq };
}

function setUp(): { lines: Lines; at: (seq: number, events?: Event[]) => number[] } {
  const lines = new Lines((seq) => (seq ? `sentence ${seq}` : ''));
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
    const lines = new Lines(() => '');
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

  it('leave out the promises that were given and kept', () => {
    const { lines, at } = setUp();
    const fact = (seq: number, kind: string, importance: number): Event =>
      event(seq, 'FactNoted', { kind, text: kind, importance, rests_on: [1], seats: [], data: {} });
    const facts = [fact(2, 'promise_kept', 0.2), fact(3, 'promise_broken', 0.4)];
    lines.skipTo(0);
    expect(at(1, [...MATCH.slice(0, 2), ...facts, comment(4, [1], 0.2), comment(5, [1], 0.4)])).toEqual([5]);
  });

  it('that come next are known, so that their clips are fetched early', () => {
    const { lines } = setUp();
    const narrated = narratedAt(new StoryLog(), storeOf(MATCH), 1);
    expect(lines.coming(narrated, 1)).toEqual([6]);
    expect(lines.coming(narrated, 9)).toEqual([6, 5]);
  });
});
