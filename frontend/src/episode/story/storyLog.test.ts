import { describe, expect, it } from 'vitest';

import { narrate } from './narrate';
import { outlookAt, StoryLog } from './storyLog';
import { parts } from '../show/parts';
import { EMPTY, reduce } from '../record/store';
import { board, event } from '../../testing/episode';
import type { Event } from '../../types.gen';

const fact = (seq: number, restsOn: number[], importance: number, kind = 'capture'): Event =>
  event(seq, 'FactNoted', { kind, text: `fact ${seq}`, importance, rests_on: restsOn, seats: ['north'], data: {} });
const outlook = (seq: number, north: number): Event =>
  event(seq, 'OutlookUpdated', { chances: { north, south: 1 - north }, excitement: 0.5, headline: `at ${seq}` });
const EVENTS = [
  event(0, 'EpisodeCreated', { title: 'A test' }),
  event(1, 'Added', { by: 1 }),
  event(2, 'Added', { by: 2 }),
  event(3, 'TurnStarted', { turn: 't1', index: 1, to_act: [], scores: {} }),
  fact(4, [2], 0.3),
  event(5, 'CommentAdded', { text: 'comment', importance: 0.8, rests_on: [1], beat: 'summary', by: 'a model' }),
  outlook(6, 0.6),
  event(7, 'PrivateBatch', { events: [{ type: 'FactNoted', audience: ['north'], data: fact(7, [1, 2], 0.9).data }] }),
  event(8, 'Added', { by: 3 }),
];
const store = reduce(EMPTY, { do: 'frames', frames: EVENTS.map((event) => ({ frame: 'event', event })) });

describe('the story of a record', () => {
  it('tells each line with the last event that it rests on, also the private ones', () => {
    const { lines } = new StoryLog().read(store);
    expect(lines.map(({ seq, about, kind }) => [seq, about, kind])).toEqual([
      [5, 1, null],
      [4, 2, 'capture'],
      [7, 2, 'capture'],
    ]);
  });

  it('knows who worded a comment', () => {
    const { lines } = new StoryLog().read(store);
    expect(lines.map(({ by }) => by)).toEqual(['a model', '', '']);
  });

  it('knows how much each event matters', () => {
    const { importance } = new StoryLog().read(store);
    expect([...importance]).toEqual([
      [2, 0.9],
      [1, 0.8],
    ]);
  });

  it('has an outlook after the last event of the turn that it sums up, and none earlier', () => {
    const story = new StoryLog().read(store);
    expect(outlookAt(story, 1)).toBeNull();
    expect(outlookAt(story, 2)?.headline).toBe('at 6');
  });

  it('has an outlook with the event that it rests on, though the turn goes on', () => {
    const rests = event(6, 'OutlookUpdated', { ...outlook(6, 0.6).data, rests_on: [1] });
    const events = EVENTS.map((each) => (each.seq === 6 ? rests : each));
    const known = reduce(EMPTY, { do: 'frames', frames: events.map((each) => ({ frame: 'event', event: each })) });
    const story = new StoryLog().read(known);
    expect(outlookAt(story, 0)).toBeNull();
    expect(outlookAt(story, 1)?.headline).toBe('at 6');
  });

  it('is the same however the events came in, and is forgotten with the record', () => {
    const log = new StoryLog();
    let half = reduce(EMPTY, { do: 'frames', frames: [{ frame: 'event', event: EVENTS[0] as Event }] });
    log.read(half);
    half = reduce(half, { do: 'frames', frames: EVENTS.map((event) => ({ frame: 'event', event })) });
    expect(log.read(half)).toEqual(new StoryLog().read(store));
    expect(log.read(reduce(half, { do: 'resync' })).lines).toEqual([]);
  });

  it('is no step of its own', () => {
    const steps = EVENTS.filter((event) =>
      parts(event).some((part) => narrate(board, part, { total: 0, added: [] }).step),
    );
    expect(EVENTS.filter((event) => !steps.includes(event)).map(({ seq }) => seq)).toEqual([4, 5, 6, 7]);
  });
});
