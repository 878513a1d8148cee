import { describe, expect, it } from 'vitest';

import type { ManySlot, NumberSlot, PickSlot, TextSlot } from '../types.gen';
import { addable, complete, inButtons, lacks, optionText, question, sameStages, toggle, without } from './slots';

const option = (word: string, target = '', text = '') => ({ word, text, target, help: '', kind: '' });
const pick = (name: string, ...words: string[]): PickSlot => ({
  kind: 'pick',
  name,
  prompt: '',
  options: words.map((word) => option(word)),
});
const builds: ManySlot = {
  kind: 'many',
  name: 'builds',
  prompt: 'Builds',
  options: [option('A PAR B', 'PAR'), option('A BRE B', 'BRE'), option('F BRE B', 'BRE'), option('A MAR B', 'MAR')],
  least: 1,
  most: 2,
};
const bet: NumberSlot = { kind: 'number', name: 'bet', prompt: '', low: 10, high: 30, step: 5, unit: 'chips' };
const note: TextSlot = { kind: 'text', name: 'note', prompt: '', limit: 3 };

describe('the answer to a slot', () => {
  it('has a question and options in plain words', () => {
    expect(question(pick('bat_first'))).toBe('Bat first');
    expect(question(pick('A PAR'))).toBe('A PAR');
    expect(question(builds)).toBe('Builds');
    expect(optionText(option('slog_sweep'))).toBe('slog sweep');
    expect(optionText(option('as planned', '', 'off_channel'))).toBe('as planned (off channel)');
    expect(optionText(option('false'))).toBe('no');
  });

  it('is a set in the order of the options, with one option of a target', () => {
    expect(toggle(builds, ['A BRE B'], 'A PAR B')).toEqual(['A PAR B', 'A BRE B']);
    expect(toggle(builds, ['A PAR B', 'A BRE B'], 'F BRE B')).toEqual(['A PAR B', 'F BRE B']);
    expect(toggle(builds, ['A PAR B', 'A BRE B'], 'A PAR B')).toEqual(['A BRE B']);
    expect(addable(builds, ['A PAR B', 'A BRE B'], 'A MAR B')).toBe(false);
    expect(addable(builds, ['A PAR B', 'A BRE B'], 'F BRE B')).toBe(true);
  });

  it('lacks what the slot does not take', () => {
    expect([lacks(builds, []), lacks(builds, ['A PAR B'])]).toEqual(['1 more must be chosen', '']);
    expect(lacks(builds, undefined)).toBe('1 more must be chosen');
    expect([lacks(pick('move', 'bet'), undefined), lacks(pick('move', 'bet'), 'bet')]).toEqual(['Choose one.', '']);
    expect([10, 30, 5, 12, 35, NaN].map((value) => !lacks(bet, value))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect([lacks(note, undefined), lacks(note, '🂡🂢🂣'), lacks(note, 'abcde')]).toEqual([
      '',
      '',
      '2 characters too many',
    ]);
  });

  it('is a row of buttons where all picks of the stage have few options', () => {
    const many = pick('shot', ...'abcdefg');
    expect([inButtons([pick('move', 'check', 'bet'), bet]), inButtons([pick('move', 'bet'), many])]).toEqual([
      true,
      false,
    ]);
  });
});

it('has values of some stages, without what is incomplete', () => {
  const stages = [[pick('tool', 'field', 'bowl')], [pick('preset', 'own', 'slips'), bet], [builds]];
  const chosen = { tool: 'field', preset: 'own', bet: 12, builds: ['A PAR B'] };
  expect(complete(stages.slice(0, 2), chosen)).toEqual({ tool: 'field', preset: 'own' });
  expect(complete(stages, { ...chosen, bet: 15 })).toEqual({ ...chosen, bet: 15 });
  expect(without(chosen, stages.slice(1).flat())).toEqual({ tool: 'field' });
});

it('has stages that stay as they were, and others', () => {
  const [tool, preset] = [[pick('tool', 'field')], [pick('preset', 'own')]];
  expect(sameStages([tool, preset], [tool, [builds]])).toEqual([tool, []]);
});
