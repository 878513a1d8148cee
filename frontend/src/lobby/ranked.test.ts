import { describe, expect, it } from 'vitest';

import type { Game } from '../boards/game';
import type { EpisodeSummary } from '../types.gen';
import { ranked } from './ranked';

type Centres = Record<string, number>;

const SEATS = ['AUSTRIA', 'ENGLAND', 'FRANCE', 'TURKEY'];
const SOLO = {
  seats: SEATS.map((seat) => ({ seat, player: 'bot', kind: 'bot' })),
  scores: { AUSTRIA: 0, ENGLAND: 0, FRANCE: 0, TURKEY: 1 },
  outcome: { reason: 'solo', winners: ['TURKEY'], scores: {}, text: '' },
} as unknown as EpisodeSummary;
const GAME: Pick<Game<Centres>, 'strip'> = {
  strip: (centres, seat) => ({ count: centres ? String(centres[seat] ?? 0) : '' }),
};

const toPairs = (rows: readonly { seat: string; figure: string }[]) => rows.map(({ seat, figure }) => [seat, figure]);

describe('the leaders on a card', () => {
  it('are in the order of what the board counts, not of the seats', () => {
    const centres = { TURKEY: 19, AUSTRIA: 0, ENGLAND: 3, FRANCE: 7 };
    expect(toPairs(ranked(SOLO, GAME, centres))).toEqual([
      ['TURKEY', '19'],
      ['FRANCE', '7'],
      ['ENGLAND', '3'],
      ['AUSTRIA', '0'],
    ]);
  });

  it('have no figure before the position is here, rather than a score in its place', () => {
    expect(toPairs(ranked(SOLO, GAME, undefined))[0]).toEqual(['TURKEY', '']);
    expect(ranked(SOLO, GAME, undefined).every(({ figure }) => figure === '')).toBe(true);
  });

  it('have their scores where a board counts nothing', () => {
    const plain: typeof GAME = { strip: (_, __, score = 0) => ({ count: score.toFixed(2) }) };
    expect(toPairs(ranked(SOLO, plain, undefined))[0]).toEqual(['TURKEY', '1.00']);
  });

  it('name the person who has taken over a seat', () => {
    const players = ranked({ ...SOLO, taken: ['FRANCE'] }, GAME, undefined).map(({ seat, player }) => [seat, player]);
    expect(players).toContainEqual(['FRANCE', 'a person, for bot']);
    expect(players).toContainEqual(['TURKEY', 'bot']);
  });

  it('begin with the winner, whatever is counted', () => {
    const episode = { ...SOLO, outcome: { ...SOLO.outcome, winners: ['FRANCE'] } } as EpisodeSummary;
    expect(ranked(episode, GAME, { TURKEY: 9, FRANCE: 4 })[0]?.seat).toBe('FRANCE');
  });
});
