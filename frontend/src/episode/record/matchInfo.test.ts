import { describe, expect, it } from 'vitest';

import { event } from '../../testing/episode';
import { before, step } from './matchInfo';

const start = before({ created_at: 0 } as Parameters<typeof before>[0]);
const after = (...events: Parameters<typeof step>[1][]) => events.reduce(step, start);
const asked = (seq: number, seat: string, deadline: number | null, ready = false) =>
  event(seq, 'ActionRequested', { seat, index: 0, kind: 'choose', deadline, left: null, ready });
const control = (seq: number, command: string, value: unknown) =>
  event(seq, 'ControlChanged', { command, value, by: 'player' });

describe('the people whom a match waits for', () => {
  it('are known with their deadlines, the last of each', () => {
    const { requests } = after(asked(0, 'north', 10), asked(1, 'south', 12), asked(2, 'north', null, true));
    expect(requests).toMatchObject({ north: { deadline: null, ready: true }, south: { deadline: 12 } });
  });

  it('are those of the turn', () => {
    const turn = event(1, 'TurnStarted', { index: 1, turn: 't', to_act: ['south'], scores: {} });
    expect(after(asked(0, 'north', 10), turn).requests).toEqual({});
  });

  it('are not those who have left', () => {
    const left = [asked(0, 'north', 10), control(1, 'leave', 'north')];
    expect(after(...left)).toMatchObject({ requests: {}, left: ['north'], taken: [] });
    expect(after(...left, control(2, 'take_over', 'north'))).toMatchObject({ left: [], taken: [] });
    expect(after(control(0, 'take_over', 'south'), control(1, 'leave', 'south'))).toMatchObject({
      left: [],
      taken: [],
    });
  });
});
