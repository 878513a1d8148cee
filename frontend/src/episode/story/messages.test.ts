import { describe, expect, it } from 'vitest';

import { board } from '../../boards/diplomacy';
import recorded from '../../boards/diplomacy/fixtures/press.jsonl?raw';
import type { Slot } from '../record/store';
import type { Event } from '../../types.gen';
import { toldOf } from '../../testing/episode';
import { countPromises, press, promiseLine, silence } from './messages';

const EVENTS = recorded
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Event);
const told = (slots: readonly Slot[]) => toldOf(board, slots);
const last = EVENTS.length - 1;
const played = EVENTS.findIndex(({ type }) => type === 'OrdersResolved');

const fates = (slots: readonly Slot[], seq: number, turn: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { fate } of press(told(slots), slots, [0, seq], turn).letters.flatMap((letter) => letter.fates))
    counts[fate] = (counts[fate] ?? 0) + 1;
  return counts;
};

describe('the press', () => {
  it('shows each promise as open, kept, broken or replaced', () => {
    const before = fates(EVENTS, played - 1, 'S1901M');
    expect(Object.keys(before).sort()).toEqual(['open', 'replaced']);
    const after = fates(EVENTS, last, '');
    expect(Object.keys(after).sort()).toEqual(['broken', 'kept', 'replaced']);
    const count = (type: string): number => EVENTS.filter((event) => event.type === type).length;
    expect(after['broken']).toBe(count('PromiseBroken'));
    expect(after['kept']).toBe(count('PromiseKept'));
  });

  it('says of a promise that nothing judged that it was not judged', () => {
    const without = EVENTS.filter(({ type }) => !type.startsWith('Promise'));
    expect(fates(without, without.length - 1, '')).toEqual({ unjudged: 116 });
  });

  it('shows a message of a record that knew no promises', () => {
    const data = { turn: 'S1901M', sender: 'ITALY', recipients: ['TURKEY'], text: 'Hello.' };
    const old: Event = { ...(EVENTS[0] as Event), type: 'MessageSent', data };
    expect(press(told([old]), [old], [0, 0], 'S1901M').letters).toMatchObject([{ text: 'Hello.', fates: [] }]);
  });

  it('marks a promise that its sender noted as a lie, for who may know the note', () => {
    const data = { turn: 'S1901M', sender: 'ITALY', recipients: ['TURKEY'], text: 'Hello.', promises: ['A VEN H'] };
    const sent: Event = { ...(EVENTS[0] as Event), type: 'MessageSent', data };
    const note = { power: 'ITALY', phase: 'S1901M', promise: 'A VEN H', recipients: ['TURKEY'] };
    const noted: Event = { ...(EVENTS[0] as Event), type: 'LieNoted', data: note };
    const lies = (slots: readonly Slot[]): boolean[] =>
      press(told(slots), slots, [0, slots.length - 1], '').letters.flatMap(({ fates }) => fates.map(({ lie }) => lie));
    expect([lies([sent, noted]), lies([sent, null])]).toEqual([[true], [false]]);
    expect(countPromises(told([noted]), [0, 0])).toEqual({});
    expect(told([noted])(0)[0]?.text).toBe('Italy does not mean its promise to Turkey that the army in Venice holds');
  });

  it('knows of no message that was withheld', () => {
    const secret = EVENTS.map((event): Slot => (event.audience === 'public' ? event : null));
    const { letters, partial } = press(told(secret), secret, [0, 12], 'S1901M');
    expect({ letters, partial }).toEqual({ letters: [], partial: true });
  });

  it('has the letters of one part of the match, round by round', () => {
    const held = EVENTS.findIndex(({ type }) => type === 'NegotiationHeld');
    const { letters } = press(told(EVENTS), EVENTS, [0, played], 'S1901M');
    expect(
      letters.every(({ seq, round }) => seq > held || round === Math.max(...letters.map((each) => each.round))),
    ).toBe(true);
    expect(press(told(EVENTS), EVENTS, [played, played], 'S1901M').letters).toEqual([]);
  });
});

describe('the line about promises', () => {
  const name = (seat: string): string => seat;
  it.each([
    [{}, ''],
    [{ France: { kept: 1, broken: 0 } }, 'One promise, kept.'],
    [{ France: { kept: 4, broken: 0 }, Italy: { kept: 7, broken: 0 } }, 'Eleven promises, all kept.'],
    [{ France: { kept: 5, broken: 1 } }, 'Five promises kept; France broke one.'],
    [
      { France: { kept: 1, broken: 1 }, Italy: { kept: 0, broken: 2 } },
      'One promise kept; France broke one and Italy two.',
    ],
    [{ France: { kept: 0, broken: 1 } }, 'France broke one promise.'],
    [{ France: { kept: 0, broken: 2 }, Italy: { kept: 0, broken: 1 } }, 'France broke two promises and Italy one.'],
    [{ France: { kept: 20, broken: 0 } }, '20 promises, all kept.'],
  ])('%o', (words, line) => {
    expect(promiseLine(words, name)).toBe(line);
  });
});

describe('silence', () => {
  const seat = (): string => 'Italy';
  it.each([
    ['spectator', false, 'No messages yet.'],
    ['analyst', true, 'No messages yet.'],
    ['operator', true, 'No messages yet.'],
    ['spectator', true, 'No public messages yet.'],
    ['seat:ITALY', true, 'No public messages yet, and none to or from Italy.'],
  ])('as %s, partial %s', (as, partial, words) => {
    expect(silence(as, partial, seat)).toBe(words);
  });
});

it('counts promises by seat', () => {
  const words = countPromises(told(EVENTS), [0, last]);
  const broken = Object.values(words).reduce((sum, word) => sum + word.broken, 0);
  const kept = Object.values(words).reduce((sum, word) => sum + word.kept, 0);
  expect([broken, kept]).toEqual([65, 23]);
});
