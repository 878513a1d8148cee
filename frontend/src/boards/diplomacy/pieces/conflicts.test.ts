import { describe, expect, it } from 'vitest';

import { conflicts, schedule, unfold } from './conflicts';
import { readOrder, type Played } from '../orders';
import { EMPTY } from '../state';
import { STEPS } from '../testing/match';

const order = (power: string, kind: string, unit: string, to: string | null, results: string[] = []) =>
  readOrder(power, { order: '', kind, unit, to, results } as never);

const FIGHT: Played = {
  phase: 'S1901M',
  orders: [
    order('FRANCE', 'move', 'A PAR', 'BUR'),
    order('FRANCE', 'support', 'A MAR', 'BUR'),
    order('GERMANY', 'hold', 'A BUR', null, ['dislodged']),
    order('ITALY', 'move', 'A VEN', 'TYR', ['bounce']),
    order('AUSTRIA', 'move', 'A VIE', 'TYR', ['bounce']),
    order('TURKEY', 'move', 'A CON', 'BUL'),
  ],
};

describe('the conflicts of a phase', () => {
  it('are the provinces that were fought for, the heaviest first, with all who fought', () => {
    const [burgundy, tyrolia, ...others] = conflicts(FIGHT);
    expect(burgundy).toMatchObject({ province: 'BUR' });
    expect(burgundy?.orders.map(({ power }) => power)).toEqual(['GERMANY', 'FRANCE']);
    expect(tyrolia?.orders.map(({ power }) => power)).toEqual(['ITALY', 'AUSTRIA']);
    expect(burgundy?.weight).toBeGreaterThan(tyrolia?.weight ?? Infinity);
    expect(others).toEqual([]);
  });

  it('are shown one after another after orders and moves, the heaviest last, and the map leans in on it', () => {
    const { moves, scenes, lasts } = schedule(FIGHT);
    expect(moves).toBeGreaterThan(0);
    expect(scenes.map(({ province, lean }) => [province, lean])).toEqual([
      ['TYR', false],
      ['BUR', true],
    ]);
    let end = moves;
    for (const { at, lasts: long } of scenes) {
      expect(at).toBeGreaterThanOrEqual(end);
      end = at + long;
    }
    expect(lasts).toBeGreaterThanOrEqual(end);
  });

  it('leaves a phase of moves time to be read, and a lone retreat a second', () => {
    for (const { event, before, after } of STEPS) {
      const { picture, score } = unfold(before, after);
      expect(score).toBe(0);
      if (event.type !== 'OrdersResolved') expect(picture).toBe(0);
      else if (event.data.phase.endsWith('M')) expect(picture).toBeGreaterThanOrEqual(2500);
      else expect(picture).toBeLessThanOrEqual(1000);
    }
    expect(unfold(EMPTY, EMPTY).picture).toBe(0);
  });
});
