import { describe, expect, it } from 'vitest';

import { event } from '../../testing/episode';
import { expire, IN_TIME } from './expiry';

const turn = (seq: number, name: string) =>
  event(seq, 'TurnStarted', { turn: name, index: seq, to_act: [], scores: {} });
const fault = (seq: number, seat: string, boundary: string) =>
  event(seq, 'PlayerFault', { seat, boundary, message: 'no action within 5 s' });
const choice = (seq: number, seat: string, source: string) =>
  event(seq, 'ActionChosen', { seat, index: 0, action: {}, source });
const after = (...events: ReturnType<typeof event>[]) => events.reduce(expire('north'), IN_TIME).missed;

describe('a clock that ran out', () => {
  const missed = [turn(0, 't1'), fault(1, 'north', 'timeout'), choice(2, 'north', 'fallback')];

  it('is remembered with its turn, also when the next has begun', () => {
    expect(after(...missed)).toBe('t1');
    expect(after(...missed, turn(3, 't2'))).toBe('t1');
  });

  it('is forgotten once the seat has chosen for itself again', () => {
    expect(after(...missed, turn(3, 't2'), choice(4, 'north', 'human'))).toBe('');
  });

  it('is no other fault, and no other seat', () => {
    expect(after(turn(0, 't1'), fault(1, 'north', 'provider'), choice(2, 'north', 'fallback'))).toBe('');
    expect(after(turn(0, 't1'), fault(1, 'south', 'timeout'), choice(2, 'south', 'fallback'))).toBe('');
    expect(after(...missed, choice(3, 'south', 'human'))).toBe('t1');
  });
});
