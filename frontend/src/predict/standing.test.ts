import { describe, expect, it } from 'vitest';

import type { MatchQuestion } from '../types.gen';
import { answerOf, shownAt, standingOf } from './standing';

function question(key: string, more: Partial<MatchQuestion> = {}): MatchQuestion {
  return {
    key,
    kind: 'wicket',
    text: 'A wicket in over 2?',
    note: '',
    basis: 'measured',
    seq: 10,
    closed: null,
    answered: null,
    options: [
      { word: 'yes', text: 'Yes', seat: null, chance: null },
      { word: 'no', text: 'No', seat: null, chance: null },
    ],
    shares: {},
    calls: 0,
    belief: {},
    call: null,
    ...more,
  };
}
const call = { option: 'yes', points: null };

describe('a question', () => {
  it('is not shown before the moment that asks it', () => {
    expect(standingOf(question('a'), 9)).toBeNull();
    expect(standingOf(question('a'), 10)).toBe('open');
  });

  it('that closed ahead of what is shown is missed, whatever its answer', () => {
    expect(standingOf(question('a', { closed: 20, answered: 30, shares: { yes: 1 } }), 15)).toBe('missed');
  });

  it('tells its answer when the moment of the answer is told', () => {
    const answered = question('a', { closed: 20, answered: 30, call });
    expect(standingOf(answered, 15)).toBe('waiting');
    expect(standingOf(answered, 29)).toBe('waiting');
    expect(standingOf(answered, 30)).toBe('answered');
  });
});

describe('the list', () => {
  it('has the open ones, the last one that was missed, and the last two that were called', () => {
    const closed = { closed: 20, answered: 30 };
    const all = [
      question('a', { ...closed, call }),
      question('b', { ...closed, call }),
      question('c', { ...closed, call }),
      question('d', closed),
      question('e', { closed: 60 }),
      question('f', { seq: 30 }),
    ];
    expect(shownAt(all, 40).map((each) => each.question.key)).toEqual(['f', 'e', 'c', 'b']);
  });
});

it('names what came true', () => {
  expect(answerOf(question('a', { shares: { no: 1 } }))).toBe('No');
  expect(answerOf(question('a', { shares: {} }))).toBe('');
  expect(answerOf(question('a', { shares: { yes: 0.5, no: 0.5 } }))).toBe('Yes, No');
});
