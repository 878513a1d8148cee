import { describe, expect, it } from 'vitest';

import { reach } from '../map/borders';
import type { Pact } from '../pacts';
import { STATES } from '../testing/match';
import type { State } from '../state';
import { answerText, clausesFor, clausesOf, clauseWords, linesOf, offerText, turnsFrom, type Deal } from './deals';

const START = STATES.find(({ phase }) => phase === 'S1901M') as State;
const SUPPORT = 'your army in Munich supports my army in Paris into Burgundy';
const words = (kind: 'mine' | 'yours' | 'hold' | 'zone', seat = 'FRANCE', other = 'GERMANY'): string[] =>
  clausesFor(START, seat, other, 'S1901M')[kind].map((clause) => clauseWords(clause, seat, other));

describe('the moves of units', () => {
  it('follow the borders of the rules, coast by coast', () => {
    expect([...reach({ kind: 'A', at: 'PAR' })].sort()).toEqual(['BRE', 'BUR', 'GAS', 'PIC']);
    expect([...reach({ kind: 'F', at: 'STP/SC' })].sort()).toEqual(['BOT', 'FIN', 'LVN']);
    expect(reach({ kind: 'F', at: 'MAO' })).toContain('SPA/NC');
  });
});

describe('what two powers can agree on', () => {
  it('is a support of a move in either direction, and a place that stays empty', () => {
    expect(words('mine')).toContain(SUPPORT);
    expect(words('yours')).toContain('my army in Paris supports your army in Munich into Burgundy');
    expect(words('zone')).toEqual(['Burgundy stays empty']);
    expect(words('hold')).toEqual([]);
    expect(words('hold', 'AUSTRIA', 'ITALY')).toContain(
      'your army in Venice supports my fleet in Trieste where it stands',
    );
  });

  it('has supply centres first, and nothing that is a party’s own', () => {
    expect(words('mine', 'AUSTRIA', 'RUSSIA')[0]).toContain('Rumania');
    expect(words('mine', 'ITALY', 'AUSTRIA').join()).not.toContain('into Trieste');
  });
});

describe('a deal in words and lines', () => {
  const [push] = clausesFor(START, 'FRANCE', 'GERMANY', 'S1901M').mine.filter(
    (clause) => clauseWords(clause, 'FRANCE', 'GERMANY') === SUPPORT,
  );
  const zone = { turn: 'S1902M', terms: [], zone: 'RUH' };
  const later = {
    turn: 'F1901M',
    terms: [{ turn: 'F1901M', power: 'FRANCE', order: 'A BUR S A MUN - BEL' }],
    zone: '',
  };
  const clauses = push ? [push, later, zone] : [];
  const deal: Deal = { clauses, until: 'S1902M', war: true, counters: 'FG1' };

  it('is one letter', () => {
    expect(offerText({ ...deal, counters: '' }, 'S1901M', 'FRANCE', 'GERMANY')).toBe(
      `I offer you a pact: ${SUPPORT}; in the autumn of 1901 my army in Burgundy supports the army in Munich into ` +
        'Belgium; neither of us enters the Ruhr until the spring of 1902. Whoever breaks it has a war.',
    );
  });

  it('has lines that the rules read', () => {
    expect(linesOf(deal)).toEqual([
      'COUNTER FG1',
      'S1901M FRANCE A PAR - BUR',
      'S1901M GERMANY A MUN S A PAR - BUR',
      'F1901M FRANCE A BUR S A MUN - BEL',
      'ZONE RUH',
      'UNTIL S1902M',
      'ELSE WAR',
    ]);
  });

  it('is read from an offer clause by clause, and answered in its words', () => {
    const terms = clauses.flatMap((clause) => clause.terms);
    const offer = { terms, zones: ['RUH'], until: 'S1902M', power: 'GERMANY' } as unknown as Pact;
    expect(clausesOf(offer)).toEqual(clauses);
    expect(answerText({ ...offer, terms: [], zones: ['TYR'] }, true, 'S1901M', 'FRANCE')).toBe(
      'I accept: neither of us enters Tyrolia until the spring of 1902.',
    );
  });

  it('names three seasons', () => {
    expect(turnsFrom('F1901M')).toEqual(['F1901M', 'S1902M', 'F1902M']);
  });
});
