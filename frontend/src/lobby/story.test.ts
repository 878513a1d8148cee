import { describe, expect, it } from 'vitest';

import { event } from '../testing/episode';
import type { Event } from '../types.gen';
import { keyMoment, outlookAt } from './story';

const fact = (seq: number, importance: number, rests: number[]): Event =>
  event(seq, 'FactNoted', { kind: 'capture', text: `Fact ${seq}`, importance, rests_on: rests, seats: [], data: {} });
const outlook = (seq: number): Event =>
  event(seq, 'OutlookUpdated', { chances: {}, excitement: 0, headline: `At ${seq}` });
const turn = (seq: number): Event => event(seq, 'TurnStarted', { turn: `t${seq}`, index: 0, to_act: [], scores: {} });

const SLOTS = [
  event(0, 'EpisodeCreated', {}),
  turn(1),
  event(2, 'Added', { by: 1 }),
  fact(3, 0.9, [2]),
  outlook(4),
  turn(5),
  null,
  event(7, 'Added', { by: 2 }),
  fact(8, 0.6, [2, 7]),
  fact(9, 0.2, [7]),
  outlook(10),
];

describe('the last key moment', () => {
  it('is the last fact of importance, from the start of its turn to what it rests on', () => {
    expect(keyMoment(SLOTS, 10)).toEqual({ first: 5, last: 7, text: 'Fact 8' });
  });

  it('is not one that lies ahead of the moment shown', () => {
    expect(keyMoment(SLOTS, 7)).toEqual({ first: 1, last: 2, text: 'Fact 3' });
    expect(keyMoment(SLOTS, 2)).toBeNull();
  });
});

describe('the prospects', () => {
  it('are those of the moment shown', () => {
    expect(outlookAt(SLOTS, 9)?.headline).toBe('At 4');
    expect(outlookAt(SLOTS, 10)?.headline).toBe('At 10');
    expect(outlookAt(SLOTS, 3)).toBeNull();
  });
});
