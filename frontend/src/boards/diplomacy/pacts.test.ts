import { describe, expect, it } from 'vitest';

import type { GameEvent } from './events.gen';
import { drawnPacts, pactsAfter, waiting, type Pact } from './pacts';
import { reduce } from './reduce';
import { EMPTY, type State } from './state';

const PARTIES = ['FRANCE', 'GERMANY'];
const OFFER: GameEvent = {
  type: 'PactOffered',
  data: {
    parties: PARTIES,
    pact: 'FG1',
    phase: 'S1901M',
    power: 'FRANCE',
    terms: [
      { turn: 'S1901M', power: 'FRANCE', order: 'A PAR - BUR' },
      { turn: 'F1901M', power: 'GERMANY', order: 'A MUN S A BUR - MAR' },
    ],
    zones: ['RUH'],
    until: 'F1901M',
  },
} as GameEvent;
const ACCEPTED = {
  type: 'PactAccepted',
  data: { parties: PARTIES, pact: 'FG1', phase: 'S1901M', power: 'GERMANY' },
} as GameEvent;
const KEPT = { type: 'PactKept', data: { parties: PARTIES, pact: 'FG1', phase: 'F1901M' } } as GameEvent;
const BROKEN = {
  type: 'PactBroken',
  data: { ...KEPT.data, power: 'GERMANY', term: 'ZONE RUH', order: 'A MUN - RUH' },
} as GameEvent;
const REFUSED = { ...ACCEPTED, type: 'PactRefused' } as GameEvent;
const resolved = (phase: string): GameEvent => ({ type: 'OrdersResolved', data: { phase, orders: {} } }) as GameEvent;
const advanced = { type: 'PhaseAdvanced', data: { state: {} } } as GameEvent;

const after = (...events: GameEvent[]): readonly Pact[] => events.reduce(pactsAfter, [] as readonly Pact[]);

describe('the pacts of a match', () => {
  it('wait until all parties have answered, and are in force then', () => {
    const [open] = after(OFFER);
    expect(open && waiting(open)).toEqual(['GERMANY']);
    const [agreed] = after(OFFER, ACCEPTED);
    expect(agreed?.standing).toBe('accepted');
    expect(agreed && waiting(agreed)).toEqual([]);
  });

  it('are gone when they are refused, countered, or not answered in their phase', () => {
    expect(after(OFFER, REFUSED)).toEqual([]);
    expect(after(OFFER, advanced)).toEqual([]);
    const counter = { ...OFFER, data: { ...OFFER.data, pact: 'FG2', counters: 'FG1' } } as GameEvent;
    expect(after(OFFER, counter).map(({ pact }) => pact)).toEqual(['FG2']);
  });

  it('are known as kept or broken until the next orders', () => {
    expect(after(OFFER, ACCEPTED, resolved('S1901M'), advanced, resolved('F1901M'), KEPT)[0]?.standing).toBe('kept');
    const broken = [OFFER, ACCEPTED, resolved('F1901M'), BROKEN];
    expect(after(...broken)[0]?.standing).toBe('broken');
    expect(after(...broken, resolved('F1901R'))).toHaveLength(1);
    expect(after(...broken, resolved('S1902M'))).toEqual([]);
  });
});

describe('what the map shows of them', () => {
  const at = (phase: string, season: string, ...events: GameEvent[]): State => ({
    ...EMPTY,
    phase,
    season: season ? [{ phase: season, orders: [] }] : [],
    pacts: after(...events),
  });
  const texts = (state: State): string[][] => drawnPacts(state).map(({ orders }) => orders.map(({ text }) => text));

  it('is the orders of the phase to come, and the empty places', () => {
    expect(texts(at('S1901M', '', OFFER))).toEqual([['A PAR - BUR']]);
    const fall = at('F1901M', 'S1901M', OFFER, ACCEPTED, resolved('S1901M'));
    expect(texts(fall)).toEqual([['A MUN S A BUR - MAR']]);
    expect(drawnPacts(fall)[0]?.zones).toEqual(['RUH']);
  });

  it('is what the last orders decided until there is something new', () => {
    const ended = [OFFER, ACCEPTED, resolved('F1901M'), KEPT];
    expect(texts(at('W1901A', 'F1901M', ...ended))).toEqual([['A MUN S A BUR - MAR']]);
    const names = (...events: GameEvent[]): string[] =>
      drawnPacts(at('S1902M', 'F1901M', ...ended, ...events)).map(({ pact }) => pact);
    const terms = [{ turn: 'S1902M', power: 'FRANCE', order: 'A BUR H' }];
    const next = (data: object): GameEvent =>
      ({ ...OFFER, data: { ...OFFER.data, pact: 'FG2', phase: 'S1902M', ...data } }) as GameEvent;
    expect(names(next({ terms: [] }))).toEqual(['FG1', 'FG2']);
    expect(names(next({ terms }))).toEqual(['FG2']);
  });
});

it('the board has them after their events', () => {
  expect(reduce(EMPTY, OFFER).pacts).toHaveLength(1);
  expect(reduce(EMPTY, KEPT)).toBe(EMPTY);
});
