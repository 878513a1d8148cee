import { describe, expect, it } from 'vitest';

import { done, readOrder, type Played, type PlayedOrder } from '../orders';
import { build, convoy, disband, hold, move, retreat, support } from '../testing/orders';
import { EVENTS } from '../testing/match';
import { readOrders } from '../reduce';
import { orderWords, ordersIn, placeName, verdicts } from './orderText';

const phase = (name: string, ...orders: PlayedOrder[]): Played => ({ phase: name, orders });
const describeResults = (order: PlayedOrder, played = phase('S1901M', order)): string[] =>
  verdicts(order, played).map(({ text }) => text);

describe('orders in plain words', () => {
  it.each([
    [hold('A PAR'), 'holds'],
    [move('A PAR', 'BUR'), 'moves to Burgundy'],
    [move('A LON', 'NWY', { bySea: true }), 'moves to Norway by sea'],
    [support('A MAR', 'A PAR', 'BUR'), 'supports the army in Paris to Burgundy'],
    [support('F MAO', 'F SPA/SC'), 'supports the fleet in Spain (south coast) to hold'],
    [convoy('F NTH', 'A LON', 'NWY'), 'convoys the army in London to Norway'],
    [retreat('F BUL/EC', 'BLA'), 'retreats to Black Sea'],
    [disband('A RUH'), 'disbands'],
    [build('F STP/NC'), 'builds a fleet'],
  ])('%o', (order, words) => {
    expect(orderWords(order)).toBe(words);
  });

  it('names coasts', () => {
    expect(placeName('STP/NC')).toBe('St Petersburg (north coast)');
    expect(placeName('PAR')).toBe('Paris');
  });
});

describe('results in plain words', () => {
  it('says bounced, support cut, not matched, and by whom a unit was dislodged', () => {
    const beaten = support('A BUR', 'A PAR', null, { results: ['cut', 'dislodged'], beatenFrom: 'MUN' });
    const attack = move('A MUN', 'BUR', { power: 'GERMANY' });
    expect(describeResults(move('A PAR', 'BUR', { results: ['bounce'] }))).toEqual(['bounced']);
    expect(describeResults(support('A MAR', 'A PAR', 'BUR', { results: ['void'] }))).toEqual(['not matched']);
    expect(describeResults(beaten, phase('S1901M', beaten, attack))).toEqual([
      'support cut',
      'dislodged by the army from Munich',
    ]);
    expect(describeResults(attack)).toEqual(['moved']);
    expect(describeResults(hold('A PAR'))).toEqual([]);
  });

  it('tells a convoy that carried nobody from one that was disrupted, and civil disorder from an order', () => {
    expect(describeResults(convoy('F NTH', 'A LON', 'NWY', { results: ['no convoy'] }))).toEqual(['carried nobody']);
    expect(describeResults(move('A LON', 'NWY', { results: ['no convoy'] }))).toEqual(['no convoy']);
    expect(describeResults(convoy('F NTH', 'A LON', 'NWY', { results: ['disrupted'] }))).toEqual(['convoy disrupted']);
    const lost = disband('A PAR', { results: ['disband'] });
    expect(describeResults(lost, phase('W1901A', lost))).toEqual(['civil disorder']);
    expect(describeResults(lost, phase('F1901R', lost))).toEqual(['disbanded']);
  });

  it('a unit may do as ordered and be dislodged; a beaten convoy carries nobody', () => {
    expect(done(support('A BUR', 'A PAR', null, { results: ['dislodged'] }))).toBe(true);
    expect(done(convoy('F NTH', 'A LON', 'NWY', { results: ['dislodged'] }))).toBe(false);
    expect(done(move('A PAR', 'BUR', { results: ['bounce', 'dislodged'] }))).toBe(false);
    expect(done(disband('A PAR', { results: ['disband'] }))).toBe(true);
  });

  it('knows every result of a recorded match', () => {
    const results = EVENTS.flatMap((event) => {
      if (event.type !== 'OrdersResolved') return [];
      const played = readOrders(event.data);
      return played.orders.flatMap((order) =>
        verdicts(order, played).map(({ text }) => text.replace(/ by the .*/, '')),
      );
    });
    expect([...new Set(results)].sort()).toEqual([
      'bounced',
      'disbanded',
      'dislodged',
      'moved',
      'no convoy',
      'not matched',
      'support cut',
    ]);
  });
});

it('finds what was done in a province: who came, and who was ordered there', () => {
  const [came, left] = [move('A PAR', 'BUR'), move('A BUR', 'MUN')];
  const orders = [left, came, move('A MAR', 'BUR', { results: ['bounce'] }), support('A GAS', 'A PAR', 'BUR')];
  expect(ordersIn(phase('S1901M', ...orders), 'BUR')).toEqual([came, left]);
});

it('reads a waived build, which has no unit', () => {
  const waived = readOrder('FRANCE', { order: 'WAIVE', kind: 'waive', results: [] } as never);
  expect(waived.unit).toBeNull();
  expect(orderWords(waived)).toBe('waives a build');
});
