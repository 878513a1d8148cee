import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import type { EpisodeSummary } from '../../types.gen';
import { board } from '.';
import { PROVINCES } from './map/drawing';
import { EMPTY, type State } from './state';
import { STATES } from './testing/match';
import WorldMap from './map/WorldMap.svelte';

const episode = { seats: [], options: {} } as unknown as EpisodeSummary;
const map = (state: State): string =>
  render(WorldMap, { props: { board: state, scale: 0.8, r: 14, chosen: null, animate: false } }).body;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const sample = [EMPTY, ...STATES.filter((_, index) => index % 9 === 0), STATES.at(-1) as State];

describe('the map', () => {
  it('draws every unit once, and a place to point at for every province', () => {
    for (const state of sample) {
      const body = map(state);
      const units = Object.keys(state.units).length + Object.keys(state.dislodged).length;
      expect(count(body, /data-unit=/g)).toBe(units);
      expect(count(body, /data-province=/g)).toBe(PROVINCES.size);
    }
  });

  it('draws each order of the season as a shape or a line', () => {
    const state = STATES.find(({ season }) => (season[0]?.orders.length ?? 0) > 20) as State;
    const body = map(state);
    for (const { orders, phase } of state.season) {
      for (const { unit } of orders) expect(body).toContain(`data-order="${phase} ${unit?.at}"`);
    }
  });
});

describe('the panels', () => {
  it('show every moment, the empty board too', () => {
    for (const state of sample) {
      for (const { component } of board.panels) {
        const { body } = render(component, { props: { episode, state, previous: null, animate: false } });
        expect(body.length).toBeGreaterThan(40);
      }
    }
  });

  it('say what became of the orders', () => {
    const state = STATES.find(({ season }) =>
      season.some(({ orders }) => orders.some(({ results }) => results.includes('dislodged'))),
    ) as State;
    const orders = board.panels.find(({ id }) => id === 'orders');
    if (!orders) throw new Error('there is no panel of orders');
    const { body } = render(orders.component, { props: { episode, state, previous: null, animate: false } });
    expect(body).toContain('dislodged by the fleet from North Sea');
    expect(body).toContain('bounced');
  });
});
