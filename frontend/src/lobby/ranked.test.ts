import { describe, expect, it } from 'vitest';

import { board } from '../testing/episode';
import type { EpisodeSummary, Glance } from '../types.gen';
import { ranked } from './ranked';

const SEATS = ['AUSTRIA', 'ENGLAND', 'FRANCE', 'TURKEY'];
const SOLO = {
  seats: SEATS.map((seat) => ({ seat, player: 'bot', kind: 'bot' })),
  scores: { AUSTRIA: 0, ENGLAND: 0, FRANCE: 0, TURKEY: 1 },
  outcome: { reason: 'solo', winners: ['TURKEY'], scores: {}, text: '' },
} as unknown as EpisodeSummary;

const standing = (scores: Readonly<Record<string, string>>, short = ''): Glance => ({
  picture: null,
  owners: null,
  rows: Object.entries(scores).map(([seat, score]) => ({ seat, name: `The ${seat}`, score, strong: true, short })),
  facts: [],
});
const order = (episode: EpisodeSummary, glance?: Glance) =>
  ranked(episode, board, glance).map(({ seat, figure }) => [seat, figure]);

describe('the leaders on a card', () => {
  it('are in the order of what the game counts, not of the seats', () => {
    const centres = { TURKEY: '19', AUSTRIA: 'out', ENGLAND: '3', FRANCE: '7' };
    expect(order(SOLO, standing(centres))).toEqual([
      ['TURKEY', '19'],
      ['FRANCE', '7'],
      ['ENGLAND', '3'],
      ['AUSTRIA', 'out'],
    ]);
  });

  it('have no figure before the standing is here, rather than a score in its place', () => {
    expect(order(SOLO)[0]).toEqual(['TURKEY', '']);
    expect(order(SOLO).every(([, figure]) => figure === '')).toBe(true);
  });

  it('have the names of the match, and those of the game before', () => {
    const named = (glance?: Glance) => ranked(SOLO, board, glance).find(({ seat }) => seat === 'FRANCE');
    expect(named(standing({ FRANCE: '7' }, 'FRA'))).toMatchObject({ name: 'The FRANCE', short: 'FRA' });
    expect(named()).toMatchObject(board.names(board.begin(SOLO, null)).seat('FRANCE'));
  });

  it('have the name of the game where the standing has only the seat', () => {
    const names = { ...board.names(), seat: (id: string) => ({ name: `Player ${id}`, short: id, colour: 'red' }) };
    const rows = standing({ FRANCE: '7' }).rows.map((row) => ({ ...row, name: row.seat }));
    const seats = ranked(SOLO, { begin: board.begin, names: () => names }, { ...standing({}), rows });
    expect(seats.find(({ seat }) => seat === 'FRANCE')?.name).toBe('Player FRANCE');
  });

  it('name the person who has taken over a seat', () => {
    const players = ranked({ ...SOLO, taken: ['FRANCE'] }, board, undefined).map(({ seat, player }) => [seat, player]);
    expect(players).toContainEqual(['FRANCE', 'a person, for bot']);
    expect(players).toContainEqual(['TURKEY', 'bot']);
  });

  it('begin with the winner, whatever is counted', () => {
    const episode = { ...SOLO, outcome: { ...SOLO.outcome, winners: ['FRANCE'] } } as EpisodeSummary;
    expect(order(episode, standing({ TURKEY: '9', FRANCE: '4' }))[0]).toEqual(['FRANCE', '4']);
  });
});
