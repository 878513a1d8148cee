import { describe, expect, it } from 'vitest';

import { EMPTY, reduce } from './store';
import { event } from '../../testing/episode';
import { Fold } from './fold';
import { steer, UNSTEERED } from './steering';

const control = (seq: number, command: string, value: unknown = null) =>
  ({ frame: 'event', event: event(seq, 'ControlChanged', { command, value, by: 'operator' }) }) as const;

describe('steering', () => {
  it('is what the changes add up to', () => {
    const frames = [
      control(0, 'pace', 2.5),
      control(1, 'turns', 10),
      control(2, 'pause'),
      control(3, 'take_over', 'north'),
      control(4, 'extend', 14),
      control(5, 'take_over', 'south'),
      control(6, 'hand_back', 'north'),
      control(7, 'step', 1),
    ];
    const store = reduce(EMPTY, { do: 'frames', frames });
    expect(new Fold(UNSTEERED, steer).at(store)).toEqual({
      pace: 2.5,
      paused: true,
      turns: 14,
      taken: ['south'],
      left: [],
      leftBy: { north: 'operator' },
      stopping: false,
    });
  });

  it('knows the seats whose person has left, until the person is back', () => {
    const seats = (...frames: ReturnType<typeof control>[]) =>
      new Fold(UNSTEERED, steer).at(reduce(EMPTY, { do: 'frames', frames }));
    const left = [control(0, 'leave', 'north'), control(1, 'take_over', 'south'), control(2, 'leave', 'south')];
    expect(seats(...left)).toMatchObject({ left: ['north'], taken: [] });
    expect(seats(...left, control(3, 'take_over', 'north'))).toMatchObject({ left: [], taken: [] });
  });

  it('waits for what is missing, takes nothing twice, and begins anew with another record', () => {
    const fold = new Fold<number[]>([], (numbers, { seq }) => [...numbers, seq]);
    let store = reduce(EMPTY, { do: 'frames', frames: [control(0, 'pause'), control(2, 'pause')] });
    expect(fold.at(store)).toEqual([0]);
    store = reduce(store, { do: 'frames', frames: [{ frame: 'withheld', seq: 1 }, control(3, 'pause')] });
    expect(fold.at(store)).toEqual([0, 2, 3]);
    expect(fold.at(store)).toBe(fold.at(store));
    store = reduce(store, { do: 'resync' });
    expect(fold.at(reduce(store, { do: 'frames', frames: [control(0, 'stop')] }))).toEqual([0]);
  });
});
