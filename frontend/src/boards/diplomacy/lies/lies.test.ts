import { describe, expect, it } from 'vitest';

import type { GameEvent } from '../events.gen';
import { reduce } from '../reduce';
import { EMPTY } from '../state';
import { countdown, shownLies, type KnownLies } from './lies';

const event = (type: string, data: object): GameEvent => ({ type, data }) as unknown as GameEvent;
const PROMISE = { power: 'GERMANY', phase: 'F1902M', promise: 'A KIE - DEN', recipients: ['ENGLAND'], public: false };
const LETTER = event('MessageSent', {
  turn: 'F1902M',
  sender: 'GERMANY',
  recipients: ['ENGLAND'],
  text: 'Denmark it is.',
  promises: ['A KIE - DEN'],
});
const LIE = event('LieNoted', PROMISE);
const BROKEN = event('PromiseBroken', { ...PROMISE, order: 'A KIE - HOL', meant: PROMISE.promise });

const after = (...events: GameEvent[]): KnownLies => events.reduce(reduce, EMPTY).known;

describe('the lies on the map', () => {
  it('shows a lie with the words of its letter until the orders', () => {
    const known = after(LETTER, LIE);
    expect(known.lies).toMatchObject([
      { power: 'GERMANY', recipients: ['ENGLAND'], text: 'Denmark it is.', earlier: 0 },
    ]);
    expect(shownLies(known, 'F1902M', 'S1902M')).toHaveLength(1);
    expect(shownLies(known, 'S1903M', 'F1902M')).toHaveLength(0);
  });

  it('shows what became of it, in the phase that was played', () => {
    const broken = after(LETTER, LIE, BROKEN);
    expect(shownLies(broken, 'F1902M', 'F1902M').map(({ fate }) => fate)).toEqual(['broken']);
    const honoured = after(LETTER, LIE, event('PromiseKept', { ...PROMISE, order: PROMISE.promise, meant: '' }));
    expect(shownLies(honoured, 'W1902A', 'F1902M').map(({ fate }) => fate)).toEqual(['honoured']);
    expect(shownLies(broken, 'S1903M', 'W1902A')).toEqual([]);
  });

  it('drops a promise that another one replaced', () => {
    expect(after(LETTER, LIE, event('PromiseReplaced', { ...PROMISE, by: 'A KIE - HOL' })).lies).toEqual([]);
  });

  it('counts the broken words between two powers, and forgets the lies of an earlier phase', () => {
    const next = event('LieNoted', { ...PROMISE, phase: 'S1903M' });
    const { lies } = after(LETTER, LIE, BROKEN, next);
    expect(lies.map(({ phase, earlier, text }) => [phase, earlier, text])).toEqual([['S1903M', 1, 'Denmark it is.']]);
  });

  it('is dark where nobody may know of a lie', () => {
    expect(after(LETTER, BROKEN).lies).toEqual([]);
  });

  it('counts the rounds of letters until the orders, and knows the clock of a person', () => {
    const held = (round: number): GameEvent => event('NegotiationHeld', { index: 3, round, rounds: 3 });
    const left = (...events: GameEvent[]): unknown => {
      const known = after(...events);
      return known.lies[0] && countdown(known, known.lies[0]);
    };
    expect(left(LETTER, LIE)).toEqual({ left: 0, rounds: 0, deadline: null });
    expect(left(held(1), LETTER, LIE)).toMatchObject({ left: 1, rounds: 3 });
    expect(left(held(1), LETTER, LIE, held(2))).toMatchObject({ left: 1 });
    expect(left(held(1), LETTER, LIE, held(2), held(3))).toMatchObject({ left: 0 });
    const asked = event('ActionRequested', { seat: 'ITALY', index: 3, kind: 'choose', deadline: 1000, left: null });
    expect(left(held(2), LETTER, LIE, held(3), asked)).toEqual({ left: 0, rounds: 3, deadline: 1000 });
    const advanced = event('PhaseAdvanced', {
      state: { phase: 'S1903M', units: {}, retreats: {}, centers: {}, builds: {} },
    });
    expect(after(held(3), asked, advanced)).toMatchObject({ held: 0, rounds: 3, deadline: null });
  });
});
