import { expect, test } from 'vitest';

import type { Behind, EpisodeSummary } from '../types.gen';
import { belongs, queryOf, seatsOf } from './matches';

const behind: Behind = { title: '', note: '', table: '', rows: '', first: 3, last: 5, players: [], stage: '' };
const match = (players: string[], stage: 'training' | 'evaluation' = 'training') =>
  ({
    seats: players.map((player, n) => ({ seat: `s${n}`, player, kind: 'bot' })),
    training: { run: 'r', stage, step: 4 },
  }) as unknown as EpisodeSummary;

test('the server is asked for the steps, and for the first player', () => {
  expect(queryOf(behind)).toEqual({ first: 3, last: 5 });
  expect(queryOf({ ...behind, players: ['dumbbot', 'nano@v4'] })).toEqual({ first: 3, last: 5, player: 'dumbbot' });
});

test('a match belongs to a value if all of its players have a seat, in its stage', () => {
  const pair = { ...behind, players: ['dumbbot', 'nano@v4'] };
  expect(belongs(pair, match(['nano@v4', 'dumbbot']))).toBe(true);
  expect(belongs(pair, match(['nano@v5', 'dumbbot']))).toBe(false);
  expect(belongs({ ...behind, stage: 'evaluation' }, match(['a']))).toBe(false);
  expect(belongs({ ...behind, stage: 'evaluation' }, match(['a'], 'evaluation'))).toBe(true);
});

test('versions of a policy are called by their numbers', () => {
  expect(seatsOf(match(['dumbbot', 'nano@v12', 'dumbbot']))).toBe('dumbbot ×2, v12');
});
