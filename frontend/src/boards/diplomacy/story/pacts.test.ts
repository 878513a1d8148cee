import { expect, it } from 'vitest';

import { answerWords, brokenWords, keptWords, offerWords } from './pacts';
import { describe as told, markers } from './markers';

const PARTIES = ['FRANCE', 'GERMANY'];

it('says what a pact binds both to', () => {
  const offer = {
    pact: 'FG1',
    phase: 'S1901M',
    power: 'FRANCE',
    parties: PARTIES,
    terms: [
      { turn: 'S1901M', power: 'FRANCE', order: 'A PAR - BUR' },
      { turn: 'F1901M', power: 'GERMANY', order: 'A RUH S A BUR - BEL' },
    ],
    zones: ['PIC'],
    until: 'F1901M',
    penalty: 'war',
    counters: 'FG0',
  };
  expect(offerWords(offer)).toMatchInlineSnapshot(
    `"France offers Germany a pact instead of FG0 (FG1): Spring 1901: the army in Paris moves to Burgundy; Fall 1901: the army in Ruhr supports the army in Burgundy to Belgium; nobody enters Picardy; or else war"`,
  );
});

it('says who answered, kept and broke it', () => {
  const end = { pact: 'FG1', phase: 'S1901M', parties: PARTIES };
  expect(answerWords({ ...end, power: 'GERMANY' }, true)).toBe('Germany accepts the pact with France (FG1)');
  expect(answerWords({ ...end, power: 'GERMANY' }, false)).toBe('Germany refuses the pact with France (FG1)');
  expect(keptWords(end)).toBe('France and Germany kept their pact (FG1)');
  const broken = { ...end, power: 'GERMANY', term: 'A MUN - RUH', order: 'A MUN - BUR' };
  expect(brokenWords(broken)).toMatchInlineSnapshot(
    `"Germany broke its pact with France (FG1): it had promised that the army in Munich moves to Ruhr, but the army in Munich moves to Burgundy"`,
  );
  expect(brokenWords({ ...broken, term: 'ZONE BUR' })).toContain('nobody was to enter Burgundy');
  const entered = { ...broken, term: 'ZONE BUR' };
  const event = (data: typeof broken) => ({ type: 'PactBroken', data }) as never;
  expect(told(event(broken))).toBe(brokenWords(broken));
  expect(markers(event(broken))).toEqual([]);
  expect(markers(event(entered))).toEqual([
    { kind: 'betrayal', label: brokenWords(entered), seat: 'GERMANY', weight: 2 },
  ]);
});
