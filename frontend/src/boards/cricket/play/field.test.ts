import { describe, expect, it } from 'vitest';

import { observationOf, restrictionsOf, slotsOf } from '../testing/views';
import { wordsOf } from './captain';
import { breaches, fieldOf, moved, nearest, POSITIONS, presetOf, PRESETS, toward } from './field';

const restrictions = restrictionsOf('pace');
const presets = wordsOf(slotsOf('pace', 'set_field'), 'preset').filter((name) => name !== 'standard' && name !== 'own');

describe('a field', () => {
  it('is one of the presets that may be set, known again in any order', () => {
    expect(presets).toEqual(Object.keys(PRESETS));
    for (const name of presets) {
      expect(presetOf((PRESETS[name] ?? []).toReversed())).toBe(name);
    }
    expect(presetOf(moved(PRESETS['pp_attack'] ?? [], 'first slip', 'gully'))).toBeNull();
  });

  it('says which restriction it breaks, and by how many', () => {
    expect(breaches(restrictions, observationOf('pace').now?.field ?? [])).toEqual([]);
    expect(breaches(restrictions, PRESETS['middle_pace'] ?? [])).toEqual(['5 outside the circle, at most 2']);
    const leg = ['leg slip', 'leg gully', 'short leg', 'square leg', 'midwicket', 'mid-on', 'point', 'cover', 'gully'];
    expect(breaches(restrictions, leg)).toEqual(['6 on the leg side, at most 5']);
    const behind = moved(leg, 'mid-on', 'fine leg');
    expect(breaches(restrictions, behind)).toContain('3 behind square leg, at most 2');
  });

  it('keeps nine positions, no two the same, however fielders are moved', () => {
    const field = PRESETS['pp_attack'] ?? [];
    expect(moved(field, 'first slip', 'gully')).toContain('gully');
    const swapped = moved(field, 'cover', 'mid-off');
    expect([...swapped].sort()).toEqual([...field].sort());
    expect(swapped[field.indexOf('cover')]).toBe('mid-off');
  });
});

it('is the one that is chosen, or else the one that stands', () => {
  expect(fieldOf({}, ['cover'])).toEqual(['cover']);
  expect(fieldOf({ preset: 'standard' }, ['cover'])).toEqual(['cover']);
  expect(fieldOf({ preset: 'pp_attack' }, [])).toEqual(PRESETS['pp_attack']);
  expect(fieldOf({ preset: 'own' }, ['cover'])).toEqual(['cover']);
  expect(fieldOf({ preset: 'own', positions: ['gully'] }, ['cover'])).toEqual(['gully']);
});

describe('a fielder', () => {
  it('is dragged to the nearest position', () => {
    const spots = new Map([
      ['cover', [10, 10]],
      ['point', [40, 10]],
    ] as const);
    expect(nearest(spots, [22, 14])).toBe('cover');
    expect(nearest(spots, [28, 14])).toBe('point');
    expect(nearest(new Map(), [0, 0])).toBeNull();
  });

  it('goes by arrow keys to every position, on the side where it stands as the bowler looks', () => {
    const reached = new Set(['cover']);
    for (const from of reached) {
      for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
        reached.add(toward(POSITIONS, from, key, 1));
    }
    expect(reached.size).toBe(POSITIONS.length);
    expect(toward(['point', 'square leg'], 'silly mid-off', 'ArrowLeft', 1)).toBe('point');
    expect(toward(['point', 'square leg'], 'silly mid-off', 'ArrowLeft', -1)).toBe('square leg');
    expect(toward(POSITIONS, 'cover', 'Enter', 1)).toBe('cover');
  });
});
