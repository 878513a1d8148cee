import { describe, expect, it } from 'vitest';

import { adopt } from '../fromSnapshot';
import { EMPTY } from '../state';
import { observationOf, toolsOf, type ViewName } from '../testing/views';
import { spell } from '../vocabulary';
import { firstTool } from './captain';
import { chosenWords, prompt, spellWords } from './phrases';

function asked(name: ViewName): string {
  const [observation, tools] = [observationOf(name), Object.keys(toolsOf(name))];
  return prompt(adopt(EMPTY, observation), firstTool(observation, tools) || (tools[0] ?? ''), observation);
}

describe('what is asked', () => {
  it('is one sentence for each moment of a match', () => {
    expect(asked('toss')).toMatch(/^You won the toss\./);
    expect(asked('over')).toBe('Who bowls this over?');
    expect(asked('pace')).toMatch(/^\S+ to \S+: where to aim\?$/);
    expect(asked('bat')).toMatch(/^\S+ faces \S+: how to play it\?$/);
    expect(asked('vacant')).toBe('Who comes in?');
  });

  it('is told at the toss with what is expected of the day', () => {
    const toss = observationOf('toss');
    const format = { ...toss.format };
    delete format.forecast;
    const on = (more: Partial<typeof format>): string =>
      prompt(EMPTY, 'set_toss', { ...toss, format: { ...format, ...more } });
    expect(on({})).toBe('You won the toss.');
    expect(on({ forecast: { kind: 'dew', words: 'Dew is expected.' } })).toBe('You won the toss. Dew is expected.');
  });

  it('is a plan for the over, or another one and why', () => {
    const bowls = observationOf('over');
    const bats = { ...bowls, seat: bowls.now?.batting ?? '' };
    const told = (observation: typeof bowls): string => prompt(EMPTY, 'plan_over', observation);
    expect(told(bowls)).toBe('Over 3: who bowls it, and how?');
    expect(told(bats)).toBe('Over 3: how much risk do they take?');
    expect(told({ ...bowls, plan: { over: 2, why: 'boundary' } })).toBe(
      'A boundary: another plan for the rest of the over?',
    );
  });

  it('says of a decision what it was, how it looked, and what it may cost', () => {
    expect(asked('review')).toBe('Caught, given not out: from the middle it looks wrong. 2 reviews left.');
    const appeal = { kind: 'wide', given_out: true, evidence: 'close', may_review: 'home', reviews_left: 1 };
    expect(prompt(EMPTY, 'review', { ...observationOf('review'), appeal })).toBe(
      'Called a wide: from the middle it looks close. 1 review left.',
    );
  });
});

describe('what is chosen', () => {
  it('is said as a captain would', () => {
    expect(chosenWords({ length: 'yorker', line: 'stumps', variation: 'slower_ball' })).toBe(
      'slower ball, yorker, on the stumps',
    );
    expect(chosenWords({ intent: 'attack', shot: 'slog_sweep' })).toBe('attack, slog sweep');
    expect(chosenWords({ variation: 'stock' })).toBe('stock');
    expect(chosenWords({})).toBe('as it comes');
  });

  it('is a bowler by his figures and what his quota leaves', () => {
    const spell = { name: 'A', style: 'RF' };
    expect(spellWords({ ...spell, figures: [12, 0, 14, 1], left: 2 })).toBe('2.0-0-14-1, 2 overs left');
    expect(spellWords({ ...spell, figures: [0, 0, 0, 0], left: 1 })).toBe('1 over left');
    expect(spellWords({ ...spell, figures: [0, 0, 0, 0], left: null })).toBe('part-timer');
  });
});

it('says long spells in overs, if they are whole', () => {
  expect([24, 30, 31, 1].map(spell)).toEqual(['24 balls', '5 overs', '31 balls', '1 ball']);
});
