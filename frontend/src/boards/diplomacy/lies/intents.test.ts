import { describe, expect, it } from 'vitest';

import type { GameEvent } from '../events.gen';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';
import { intentsOf, intentWords, stabsOf } from './intents';

const event = (type: string, data: object): GameEvent => ({ type, data }) as unknown as GameEvent;

const PHASE = 'F1902M';
const BEGIN = event('PhaseAdvanced', {
  state: {
    phase: PHASE,
    units: { GERMANY: ['A BER'], ENGLAND: ['F LON'], FRANCE: ['A PAR'], ITALY: ['A ROM'] },
    retreats: {},
    centers: { GERMANY: ['BER'], ENGLAND: ['LON'], FRANCE: ['PAR', 'BRE'], ITALY: ['ROM'] },
    builds: {},
  },
});
const notes = (seat: string, trust: Record<string, number>, aims: string[] = [], turn = PHASE): GameEvent =>
  event('NotesTaken', { seat, turn, notes: '', trust, aims });
const PROMISE = { power: 'GERMANY', phase: PHASE, promise: 'A BER H', recipients: ['ENGLAND'], public: false };
const LIE = event('LieNoted', PROMISE);
const PLAYED = event('OrdersResolved', { phase: PHASE, orders: {} });
const PACT = ['PactOffered', 'PactAccepted'].map((type) =>
  event(type, {
    pact: 'GI1',
    phase: PHASE,
    power: type === 'PactOffered' ? 'GERMANY' : 'ITALY',
    parties: ['GERMANY', 'ITALY'],
    terms: [],
    zones: [],
    until: PHASE,
  }),
);

const after = (...events: GameEvent[]): State => [BEGIN, ...events].reduce(reduce, EMPTY);
const drawn = (...events: GameEvent[]): string[] =>
  intentsOf(after(...events)).map(({ kind, power, other }) => `${kind} ${power} ${other}`);

describe('the intents on the map', () => {
  it('shows whom a power prepares to stab: one that trusts it, or that a pact binds to it', () => {
    const aims = notes('GERMANY', {}, ['ENGLAND', 'ITALY', 'FRANCE']);
    expect(drawn(aims)).toEqual([]);
    expect(drawn(aims, notes('ENGLAND', { GERMANY: 1 }))).toEqual(['stab GERMANY ENGLAND']);
    expect(drawn(aims, notes('FRANCE', { GERMANY: 0 }))).toEqual([]);
    expect(drawn(aims, ...PACT.slice(0, 1))).toEqual([]);
    expect(drawn(aims, ...PACT)).toEqual(['stab GERMANY ITALY']);
  });

  it('shows the two stabs with most at stake: a pact, the trust, the centres of the victim', () => {
    const aims = notes('GERMANY', {}, ['ENGLAND', 'ITALY', 'FRANCE']);
    const trusted = [notes('ENGLAND', { GERMANY: 1 }), notes('FRANCE', { GERMANY: 1 }), ...PACT];
    expect(drawn(aims, ...trusted)).toEqual(['stab GERMANY ITALY', 'stab GERMANY FRANCE']);
  });

  it('ends with the orders, and with the phase that it was noted for', () => {
    const trusting = notes('ENGLAND', { GERMANY: 2 });
    const aims = notes('GERMANY', {}, ['ENGLAND']);
    expect(drawn(trusting, aims, PLAYED)).toEqual([]);
    expect(drawn(trusting, aims, notes('GERMANY', {}))).toEqual([]);
    expect(drawn(trusting, notes('GERMANY', {}, ['ENGLAND'], 'S1902M'))).toEqual([]);
  });

  it('leaves a stab that a lie prepares to the line of the lie', () => {
    const events = [notes('ENGLAND', { GERMANY: 2 }), notes('GERMANY', {}, ['ENGLAND'])];
    expect(drawn(...events, LIE)).toEqual([]);
    expect(stabsOf(after(...events))).toHaveLength(1);
  });

  it('shows a grudge against who broke its word, and mistrust of who did not', () => {
    const broken = event('PromiseBroken', { ...PROMISE, phase: 'S1902M', order: '', meant: '' });
    const hatred = notes('ENGLAND', { GERMANY: -2, FRANCE: -2 });
    expect(drawn(hatred)).toEqual([]);
    expect(drawn(broken, hatred)).toEqual(['grudge ENGLAND GERMANY']);
    expect(drawn(broken, notes('ENGLAND', { GERMANY: -1 }))).toEqual([]);
    expect(drawn(broken, hatred, notes('GERMANY', { ENGLAND: 1 }))).toEqual(['grudge ENGLAND GERMANY']);
  });

  it('shows who distrusts a power that trusts it, the widest apart, and no longer once it lies', () => {
    const wary = [
      notes('GERMANY', { ENGLAND: -1, FRANCE: -1, ITALY: -2 }),
      notes('ENGLAND', { GERMANY: 2 }),
      notes('FRANCE', { GERMANY: 1 }),
      notes('ITALY', { GERMANY: -1 }),
    ];
    expect(drawn(...wary)).toEqual(['wary GERMANY ENGLAND', 'wary GERMANY FRANCE']);
    expect(drawn(...wary, LIE)).toEqual(['wary GERMANY FRANCE']);
  });

  it('draws four lines at most, those of lies among them, and none outside movement phases', () => {
    const lies = ['ENGLAND', 'FRANCE', 'ITALY'].map((other) => event('LieNoted', { ...PROMISE, recipients: [other] }));
    const stabs = [
      notes('GERMANY', { ITALY: 1 }),
      notes('FRANCE', { ITALY: 1 }),
      notes('ITALY', {}, ['GERMANY', 'FRANCE']),
    ];
    expect(drawn(...stabs)).toHaveLength(2);
    expect(drawn(...stabs, ...lies)).toEqual(['stab ITALY FRANCE']);
    expect(intentsOf({ ...after(...stabs), phase: 'F1902R' })).toEqual([]);
  });

  it('is said in words', () => {
    const intent = { power: 'GERMANY', other: 'ITALY', bound: false };
    expect((['stab', 'grudge', 'wary'] as const).map((kind) => intentWords({ ...intent, kind }))).toEqual([
      'Germany prepares to stab Italy, which trusts it',
      'Germany bears a grudge against Italy, which broke its word',
      'Germany distrusts Italy, which trusts it',
    ]);
    expect(intentWords({ ...intent, kind: 'stab', bound: true })).toMatch('with which it has a pact');
  });
});
