import { describe, expect, it } from 'vitest';

import { Fold } from '../record/fold';
import { EMPTY_DESK, follow } from '../record/operatorView';
import { Moments } from '../record/moments';
import { parts } from './parts';
import { EMPTY, reduce, type Numbered } from '../record/store';
import { board, event, summary } from '../../testing/episode';
import type { Event } from '../../types.gen';

const message = (to: string, text: string) => ({
  type: 'MessageSent',
  audience: ['north', to],
  data: { turn: 't', sender: 'north', recipients: [to], text, public: false, promises: [] },
});
const held = (id: string) => ({
  type: 'MessageHeld',
  audience: 'operator',
  data: { id, seat: 'north', action: { message: { to: ['south'], text: 'hi' } } },
});
const batch = (seq: number, ...events: unknown[]): Event => event(seq, 'PrivateBatch', { events });
const shown = (...events: Event[]): Numbered[] => events.map((event) => ({ frame: 'event', event }));

describe('the parts of a batch', () => {
  it('are events of its number and time, and any other event is its own only part', () => {
    const messages = parts(batch(4, message('south', 'one'), message('south', 'two')));
    expect(messages.map(({ seq, at, type }) => [seq, at, type])).toEqual([
      [4, 1004, 'MessageSent'],
      [4, 1004, 'MessageSent'],
    ]);
    const plain = event(5, 'NegotiationHeld', { index: 0, round: 1, rounds: 1 });
    expect(parts(plain)).toEqual([plain]);
    expect(parts(event(6, 'PrivateBatch', {}))).toEqual([]);
  });

  it('are told one a line, reach the board, and are a step only where one of them is', () => {
    const store = reduce(EMPTY, {
      do: 'frames',
      frames: shown(
        event(0, 'EpisodeCreated', { title: 'A test' }),
        batch(1, message('south', 'one'), { type: 'Added', audience: ['north'], data: { number: 5 } }),
        batch(2),
      ),
    });
    const moments = new Moments(board, summary);
    const flat = reduce(EMPTY, {
      do: 'frames',
      frames: shown(event(0, 'EpisodeCreated', { title: 'A test' }), event(1, 'Added', { number: 5 })),
    });
    moments.foldAll(store);
    expect(moments.at(store, 1)?.text.split('\n')[0]).toContain('to south: one');
    expect(moments.at(store, 1)?.board).toEqual(new Moments(board, summary).at(flat, 1)?.board);
    expect(moments.at(store, 2)?.text).toBe('');
    expect([0, 1, 2].map((seq) => moments.at(store, seq)?.step)).toEqual([true, true, false]);
    const quiet = { ...board, tell: () => ({ text: 'Ready', step: false, marks: [] }) };
    expect(new Moments(quiet, summary).at(store, 1)?.step).toBe(false);
  });

  it('are one step with the other letters of their round, and with its end', () => {
    const at = { at: 1001 };
    const open = { ...message('south', 'to all'), audience: 'public' };
    const round = [
      batch(1, message('south', 'one')),
      event(2, open.type, open.data),
      event(3, 'NegotiationHeld', { index: 0, round: 1, rounds: 2 }),
    ].map((each) => ({ ...each, ...at }));
    const next = event(4, open.type, open.data);
    const moments = new Moments(board, summary);
    moments.foldAll(
      reduce(EMPTY, { do: 'frames', frames: shown(event(0, 'EpisodeCreated', { title: 'A test' }), ...round, next) }),
    );
    expect(moments.landmarks.steps).toEqual([0, 3, 4]);
  });

  it('reach the desk: what is held, and what became of it', () => {
    const decided = {
      type: 'ControlChanged',
      audience: 'operator',
      data: { command: 'approve', value: { message: 'a', edited: false }, by: 'operator' },
    };
    const at = (...events: Event[]) =>
      new Fold(EMPTY_DESK, follow).at(reduce(EMPTY, { do: 'frames', frames: shown(...events) }));
    expect(at(batch(0, held('a'), held('b'))).held.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(at(batch(0, held('a'), held('b')), batch(1, decided)).held.map(({ id }) => id)).toEqual(['b']);
  });
});
