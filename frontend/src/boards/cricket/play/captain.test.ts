import { describe, expect, it } from 'vitest';

import { observationOf, slotsOf, toolsOf, type ViewName } from '../testing/views';
import { again, callOf, calls, cardOf, firstTool, given, helpOf, spells, wordsOf } from './captain';
import { recall, remember } from './memory';

describe('the calls of a ball', () => {
  const pace = slotsOf('pace', 'bowl_delivery');

  it('are what the bowler can bowl, without what is left to him', () => {
    expect(calls(pace, 'length')).toContain('bouncer');
    expect(calls(slotsOf('spin', 'bowl_delivery'), 'length')).not.toContain('bouncer');
    expect(calls(pace, 'length')).not.toContain('natural');
    expect(wordsOf(pace, 'length')).toContain('natural');
    expect(calls(pace, 'intent')).toEqual([]);
  });

  it('are left to the bowler where one is taken back', () => {
    expect(given(pace, { length: 'yorker', line: '' })).toEqual({ length: 'yorker', line: 'natural' });
    expect(callOf({ line: 'natural', length: 'yorker' }, 'line')).toBe('');
    expect(callOf({ line: 'as planned', length: 'yorker' }, 'length')).toBe('yorker');
  });

  it('are made again as far as this bowler can', () => {
    const before = { tool: 'bowl_delivery', length: 'bouncer', line: 'stumps', variation: 'cutter' };
    expect(again(pace, before)).toEqual({ length: 'bouncer', line: 'stumps', variation: 'cutter' });
    const spin = slotsOf('spin', 'bowl_delivery');
    expect(again(spin, before)).toEqual({ length: 'natural', line: 'stumps', variation: 'natural' });
  });

  it('are remembered by match and tool', () => {
    const ball = { tool: 'bowl_delivery', line: 'leg' };
    remember('m1', ball);
    expect(recall('m1', { tool: 'bowl_delivery' })).toEqual(ball);
    expect(recall('m2', { tool: 'bowl_delivery' })).toBeNull();
    expect(recall('m1', { tool: 'play_delivery' })).toBeNull();
  });
});

describe('the bowlers', () => {
  const names = wordsOf(slotsOf('over', 'choose_bowler'), 'bowler');
  const rows = spells(names, observationOf('over'));

  it('are those who may bowl, with their figures and what the quota leaves', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(names.length).toBeGreaterThan(4);
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

  it('are told with their style', () => {
    for (const name of names) expect(helpOf(slotsOf('over', 'choose_bowler'), 'bowler', name)).toMatch(/arm/);
    expect(helpOf([], 'bowler', 'Nobody')).toBe('');
  });

  it('come in the order of use: who has bowled, who is a bowler, who is none', () => {
    const ranks = rows.map(({ figures: [balls], left }) => (left === null ? 2 : balls ? 0 : 1));
    expect(ranks).toEqual([...ranks].sort());
    expect(rows[0]?.figures[0]).toBeGreaterThan(0);
  });
});

it('asks first for whoever must bowl or come in, if one can be chosen', () => {
  const first = (name: ViewName): string => firstTool(observationOf(name), Object.keys(toolsOf(name)));
  expect((['over', 'pace', 'vacant', 'bat', 'toss'] as const).map(first)).toEqual([
    'choose_bowler',
    '',
    'choose_batter',
    '',
    '',
  ]);
  expect(firstTool(observationOf('over'), ['bowl_delivery'])).toBe('');
  const [next = ''] = wordsOf(slotsOf('vacant', 'choose_batter'), 'batter');
  expect(cardOf(observationOf('vacant'), next)?.bat).toHaveLength(4);
});
