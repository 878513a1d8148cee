import { describe, expect, it } from 'vitest';

import type { EpisodeSummary, GameInfo, PlayerRecord } from '../types.gen';
import { facesOf, recordText } from './faces';

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

  it('do not say the name of a player twice', () => {
    const games = [
      { name: 'chess', title: 'Chess', players: [player('Anna', 'Anna: waits.'), player('ben', 'Ben: is rash.')] },
    ] as unknown as GameInfo[];
    expect(facesOf([seated('Anna', 'ben')], games, [], 9).map(({ line }) => line)).toEqual(['Waits.', 'Is rash.']);
  });

  it('say one seat in the singular', () => {
    expect(recordText(record(1, 0))).toBe('Won 0 of 1 seat');
  });
});
