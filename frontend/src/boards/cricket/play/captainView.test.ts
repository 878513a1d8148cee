import { describe, expect, it } from 'vitest';

import { legalOf, observationOf } from '../testing/views';
import { call, can, cardOf, choices, chosenOf, spells, vacant, within, withArguments } from './captainView';
import { recall, remember } from './memory';

describe('what may be chosen', () => {
  it('is what the view lists, and nothing where a tool cannot be called', () => {
    expect(choices(legalOf('toss'), 'set_toss', 'decision')).toEqual(['bat', 'field']);
    expect(choices(legalOf('pace'), 'bowl_delivery', 'length')).toContain('bouncer');
    expect(choices(legalOf('spin'), 'bowl_delivery', 'length')).not.toContain('bouncer');
    expect(choices(legalOf('pace'), 'choose_bowler', 'bowler')).toEqual([]);
    expect(choices(legalOf('bat'), 'bowl_delivery', 'length')).toEqual([]);
  });

  it('ends with the free calls, but for the tool that moves the match on', () => {
    const legal = { ...legalOf('over'), free_calls_left: 0 };
    expect(can(legalOf('over'), 'choose_bowler')).toBe(true);
    expect(can(legal, 'choose_bowler')).toBe(false);
    expect(can(legal, 'bowl_delivery')).toBe(true);
    expect(can(legal, 'play_delivery')).toBe(false);
  });
});

describe('a choice in the making', () => {
  const legal = legalOf('pace');

  it('is the draft of the tool that moves the match on, and of no other', () => {
    expect(chosenOf(legal, call('bowl_delivery', { length: 'yorker' }))).toEqual({ length: 'yorker' });
    expect(chosenOf(legal, call('set_field', { preset: 'pp_attack' }))).toEqual({});
    expect(chosenOf(legal, null)).toEqual({});
    expect(chosenOf(legal, { tool: 'bowl_delivery' })).toEqual({});
  });

  it('leaves out what is natural', () => {
    const values = withArguments({ length: 'good', line: 'stumps' }, { length: 'natural', variation: 'cutter' });
    expect(values).toEqual({ line: 'stumps', variation: 'cutter' });
    expect(withArguments(values, { variation: '' })).toEqual({ line: 'stumps' });
  });

  it('is made again as far as this bowler can', () => {
    const values = { length: 'bouncer', line: 'stumps', variation: 'cutter' };
    expect(within(legal, values)).toEqual(values);
    expect(within(legalOf('spin'), values)).toEqual({ line: 'stumps' });
  });

  it('is remembered by match and tool', () => {
    remember('m1', 'bowl_delivery', { line: 'leg' });
    expect(recall('m1', 'bowl_delivery')).toEqual({ line: 'leg' });
    expect(recall('m2', 'bowl_delivery')).toBeNull();
    expect(recall('m1', 'play_delivery')).toBeNull();
  });
});

describe('the bowlers', () => {
  const rows = spells(legalOf('over'), observationOf('over'));

  it('are those who may bowl, with their figures and what the quota leaves', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(
      [...choices(legalOf('over'), 'choose_bowler', 'bowler')].sort(),
    );
    const cards = new Map(
      observationOf('over')
        .innings.at(-1)
        ?.bowlers.map(([name, ...figures]) => [name, figures]),
    );
    for (const { name, figures, left } of rows) {
      expect([...figures]).toEqual(cards.get(name)?.slice(0, 4) ?? [0, 0, 0, 0]);
      expect(left).toBe(observationOf('over').now?.overs_left[name] ?? null);
    }
  });

  it('come in the order of use: who has bowled, who is a bowler, who is none', () => {
    const ranks = rows.map(({ figures: [balls], left }) => (left === null ? 2 : balls ? 0 : 1));
    expect(ranks).toEqual([...ranks].sort());
    expect(rows[0]?.figures[0]).toBeGreaterThan(0);
  });
});

it('knows when somebody has to come in, and with what figures', () => {
  expect(vacant(observationOf('vacant'))).toBe(true);
  expect(vacant(observationOf('bat'))).toBe(false);
  expect(vacant(observationOf('toss'))).toBe(false);
  const [next = ''] = choices(legalOf('vacant'), 'choose_batter', 'batter');
  expect(cardOf(observationOf('vacant'), next)?.bat).toHaveLength(4);
});
