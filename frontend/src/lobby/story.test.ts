import { describe, expect, it } from 'vitest';

import { event } from '../testing/episode';
import type { Event } from '../types.gen';
import { keyMoment } from './story';

const fact = (seq: number, importance: number, rests: number[]): Event =>
  event(seq, 'FactNoted', { kind: 'capture', text: `Fact ${seq}`, importance, rests_on: rests, seats: [], data: {} });
const turn = (seq: number): Event => event(seq, 'TurnStarted', { turn: `t${seq}`, index: 0, to_act: [], scores: {} });

const SLOTS = [
  event(0, 'EpisodeCreated', {}),
  turn(1),
  event(2, 'Added', { by: 1 }),
  fact(3, 0.9, [2]),
  event(4, 'Added', { by: 1 }),
  turn(5),
  null,
  event(7, 'Added', { by: 2 }),
  fact(8, 0.6, [2, 7]),
  fact(9, 0.2, [7]),
];

describe('the last key moment', () => {
  it('is the last fact of importance, from the start of its turn to what it rests on', () => {
    expect(keyMoment(SLOTS, 9)).toEqual({ first: 5, last: 7, text: 'Fact 8' });
  });

  it('is not one that lies ahead of the moment shown', () => {
    expect(keyMoment(SLOTS, 7)).toEqual({ first: 1, last: 2, text: 'Fact 3' });
    expect(keyMoment(SLOTS, 2)).toBeNull();
  });
});
