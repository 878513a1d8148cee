import { describe, expect, it } from 'vitest';

import type { EpisodeSummary, GameInfo, PlayerRecord } from '../../types.gen';
import { mostPlayed, recordText, strengthText } from '../../ui/playerRecord';
import { facesOf } from './faces';

const player = (name: string, description: string, kind = 'bot') => ({ name, kind, game: 'chess', description });
const GAMES = [
  {
    name: 'chess',
    title: 'Chess',
    players: [player('Anna', 'Patient.'), player('Ben', 'Rash.'), player('person', 'A person.', 'human')],
  },
] as unknown as GameInfo[];
const seated = (...players: string[]): EpisodeSummary =>
  ({
    game: 'chess',
    seats: players.map((name) => ({ seat: name, player: name, kind: 'bot' })),
  }) as unknown as EpisodeSummary;
const record = (scored: number, wins: number): PlayerRecord =>
  ({ game: 'chess', player: 'Anna', scored, wins }) as PlayerRecord;

describe('the faces of the players', () => {
  it('are those who have a seat, each once, with a line and a record', () => {
    const faces = facesOf([seated('Ben', 'Anna'), seated('Anna', 'person', 'unknown')], GAMES, [record(12, 3)], 9);
    expect(faces.map(({ name, line, title, record }) => [name, line, title, record])).toEqual([
      ['Ben', 'Rash.', 'Chess', 'No finished match yet'],
      ['Anna', 'Patient.', 'Chess', 'Won 3 of 12 seats'],
    ]);
    expect(facesOf([seated('Ben', 'Anna')], GAMES, [], 1)).toHaveLength(1);
  });

  it('begin with those who have a rating', () => {
    const rated = { ...record(12, 3), rating: { mean: 1600, low: 1500, high: 1700, n: 12 } } as PlayerRecord;
    const faces = facesOf([seated('Ben', 'Anna')], GAMES, [rated], 9);
    expect(faces.map(({ name }) => name)).toEqual(['Anna', 'Ben']);
  });

  it('are in the order of the games, whichever match is newer', () => {
    const games = [...GAMES, { name: 'go', title: 'Go', players: [player('Cho', 'Calm.')] }] as unknown as GameInfo[];
    const cho = { ...seated('Cho'), game: 'go' };
    expect(facesOf([cho, seated('Anna')], games, [], 9).map(({ name }) => name)).toEqual(['Anna', 'Cho']);
  });

  it('do not say the name of a player twice', () => {
    const games = [
      { name: 'chess', title: 'Chess', players: [player('Anna', 'Anna: waits.'), player('ben', 'Ben: is rash.')] },
    ] as unknown as GameInfo[];
    expect(facesOf([seated('Anna', 'ben')], games, [], 9).map(({ line }) => line)).toEqual(['Waits.', 'Is rash.']);
  });

  it('say the rating with its interval, and who is new', () => {
    const rated = { rating: { mean: 1623.2, low: 1543.2, high: 1703.2, n: 40 } } as PlayerRecord;
    expect(strengthText(rated)).toBe('Rating 1623 ± 80');
    expect(strengthText({ rating: { mean: null, low: null, high: null, n: 3 } } as PlayerRecord)).toBe(
      'New: 3 matches',
    );
    expect(strengthText(undefined)).toBe('New');
  });

  it('have the record of the options that they have played most, never a mixture', () => {
    const records = [
      { player: 'Anna', setting: 'few', scored: 2, wins: 2 },
      { player: 'Anna', setting: 'many', scored: 9, wins: 1 },
      { player: 'Ben', setting: 'few', scored: 0, wins: 0 },
    ] as PlayerRecord[];
    const most = mostPlayed(records);
    expect(most.get('Anna')?.setting).toBe('many');
    expect(most.get('Ben')?.setting).toBe('few');
  });

  it('say one seat in the singular', () => {
    expect(recordText(record(1, 0))).toBe('Won 0 of 1 seat');
  });
});
