import { describe, expect, it } from 'vitest';

import { event } from '../../testing/episode';
import type { Event } from '../../types.gen';
import { activity, EMPTY_DESK, follow, STALL_SECONDS, type Desk } from './operatorView';

const usage = { seconds: 2, calls: 1, retries: 1, tokens_in: 100, tokens_out: 20, dollars: 0.01, estimated: false };
const seats = [
  { seat: 'north', player: 'model', kind: 'llm' },
  { seat: 'south', player: 'bot', kind: 'bot' },
];
const thinking = (seq: number, tokens: number, seconds: number, stage = 'choosing') =>
  event(seq, 'PlayerThinking', { seat: 'north', index: 0, stage, seconds, tokens, retries: 0 });

function after(...events: Event[]): Desk {
  return events.reduce(
    follow,
    [
      event(0, 'EpisodeCreated', { seats }),
      event(1, 'TurnStarted', { index: 0, turn: 't0', to_act: ['north', 'south'], scores: {} }),
    ].reduce(follow, EMPTY_DESK),
  );
}

const doing = (desk: Desk, seat: string, now: number, taken = false, paused = false) => {
  const agent = desk.agents.find((candidate) => candidate.seat === seat);
  if (!agent) throw new Error(seat);
  return activity(desk, agent, paused, taken, now);
};

describe('the desk', () => {
  it('tells what an agent is at, and for how long', () => {
    const desk = after(thinking(2, 40, 1.5));
    expect(doing(desk, 'north', 1002)).toEqual({ words: 'Choosing', seconds: 1.5, stalled: false });
    expect(doing(desk, 'north', 1012).seconds).toBe(11.5);
    expect(doing(desk, 'south', 1012)).toEqual({ words: 'To move', seconds: null, stalled: false });
  });

  it('sounds the alarm where nothing moves on, and takes it back when something does', () => {
    const stuck = after(thinking(2, 40, 1), thinking(20, 40, 19));
    expect(doing(stuck, 'north', 1002 + STALL_SECONDS + 1).stalled).toBe(true);
    const moved = follow(stuck, thinking(25, 41, 24));
    expect(doing(moved, 'north', 1002 + STALL_SECONDS + 1).stalled).toBe(false);
    expect(doing(stuck, 'north', 2000, true).stalled).toBe(false);
  });

  it('has what was said, thought and done of a seat in a turn on one row', () => {
    const desk = after(
      event(2, 'MessageSent', {
        turn: 't0',
        sender: 'north',
        recipients: ['south'],
        text: 'Peace?',
        public: false,
        promises: [],
      }),
      event(3, 'ActionChosen', { seat: 'north', index: 0, action: { message: { to: 'all' } }, source: 'policy' }),
      event(4, 'PlayerReported', {
        seat: 'north',
        index: 0,
        task: 'choose',
        source: 'policy',
        report: { usage, attempts: [], thought: 'War.' },
      }),
      event(5, 'ActionRejected', { seat: 'north', index: 0, action: {}, field: 'orders', reason: 'no such unit' }),
      event(6, 'ActionChosen', { seat: 'north', index: 0, action: { orders: ['A'] }, source: 'policy' }),
      event(7, 'TurnStarted', { index: 1, turn: 't1', to_act: ['north'], scores: {} }),
      event(8, 'ActionChosen', { seat: 'north', index: 1, action: { orders: ['B'] }, source: 'policy' }),
    );
    expect(desk.rows).toHaveLength(2);
    expect(desk.rows[0]).toMatchObject({
      seat: 'north',
      turn: 't0',
      messages: [{ to: ['south'], text: 'Peace?' }],
      thought: ['War.'],
      did: [{ action: { orders: ['A'] }, source: 'policy' }],
      refused: ['no such unit'],
    });
    expect(desk.rows[1]).toMatchObject({ turn: 't1', messages: [], thought: [] });
  });

  it('counts what a seat spent and its faults, each with its boundary', () => {
    const reported = (seq: number, dollars: number | null) =>
      event(seq, 'PlayerReported', {
        seat: 'north',
        index: 0,
        task: 'choose',
        source: 'policy',
        report: { usage: { ...usage, dollars }, attempts: [], thought: '' },
      });
    const desk = after(
      reported(2, 0.01),
      reported(3, null),
      reported(4, 0.02),
      event(5, 'PlayerFault', { seat: 'north', boundary: 'provider', message: 'it answered 503' }),
    );
    expect(desk.agents[0]?.spent).toMatchObject({ calls: 3, retries: 3, tokens_in: 300, tokens_out: 60 });
    expect(desk.agents[0]?.spent.dollars).toBeCloseTo(0.03);
    expect(desk.agents[0]?.faults).toBe(1);
    expect(desk.faults).toMatchObject([{ seat: 'north', boundary: 'provider', turn: 't0', seq: 5 }]);
    expect(desk.agents[1]?.spent.dollars).toBeNull();
  });

  it('holds a message until it is answered, its round is over or the match has ended', () => {
    const held = [2, 3].map((seq) => event(seq, 'MessageHeld', { id: `m${seq}`, seat: 'north', action: {} }));
    const answered = event(4, 'ControlChanged', {
      command: 'approve',
      value: { message: 'm2', edited: true },
      by: 'x',
    });
    expect(after(...held).held.map(({ id }) => id)).toEqual(['m2', 'm3']);
    expect(doing(after(...held), 'north', 1003).words).toBe('Waiting for your approval');
    expect(after(...held, answered).held.map(({ id }) => id)).toEqual(['m3']);
    expect(after(...held, event(4, 'NegotiationHeld', { index: 0, round: 1, rounds: 2 })).held).toEqual([]);
    expect(after(...held, event(4, 'EpisodeEnded', { status: 'stopped', message: '' })).held).toEqual([]);
  });

  it('is not thrown by events that are not as they should be', () => {
    const before = after();
    for (const type of ['EpisodeCreated', 'PlayerReported', 'TurnStarted', 'toString', 'constructor', 'Unknown'])
      expect(() => follow(before, event(9, type, {}))).not.toThrow();
  });
});
