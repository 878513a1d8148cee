import { expect, test } from 'vitest';

import type { GameInfo, PlayerInfo } from '../types.gen';
import { blankTournament, forecastText, pairingsIn, plays, tournamentRequest } from './tournament';

const player = (name: string, kind = 'bot', available = true): PlayerInfo =>
  ({ name, kind, available, game: 'cricket', description: '', reason: '' }) as PlayerInfo;

const game = {
  name: 'cricket',
  title: 'Cricket',
  seats: ['home', 'away'],
  options: { properties: { overs: { type: 'integer', default: 20 } } },
  players: [
    player('strong'),
    player('model', 'llm'),
    player('absent', 'llm', false),
    player('weak'),
    player('person', 'human'),
    player('random'),
    player('last'),
  ],
  formats: [],
} as unknown as GameInfo;

test('a new tournament is between free players, at full speed, without a budget', () => {
  const settings = blankTournament(game);
  expect(settings.players).toEqual(['strong', 'weak', 'random']);
  expect(tournamentRequest(settings, game)).toEqual({
    game: 'cricket',
    players: ['strong', 'weak', 'random'],
    format: 'round-robin',
    matches: 30,
    on_fault: 'fallback',
    pace: 0,
    slots: 1,
  });
  expect(game.players.filter(plays).map(({ name }) => name)).toEqual(['strong', 'model', 'weak', 'random', 'last']);
});

test('a request names only what is chosen', () => {
  const settings = { ...blankTournament(game), options: { overs: 5 }, tokens: 9000, pace: null, seed: 0 };
  expect(tournamentRequest(settings, game)).toMatchObject({ options: { overs: 5 }, max_tokens: 9000, seed: 0 });
  expect(tournamentRequest(settings, game)).not.toHaveProperty('pace');
  expect(tournamentRequest({ ...settings, slots: null }, game).slots).toBe(1);
});

test('it ends after matches or by narrow intervals, never by both', () => {
  const request = tournamentRequest({ ...blankTournament(game), narrow: true }, game);
  expect(request).toMatchObject({ until: 0.05, max_matches: 200, goal: 'scores' });
  expect(request).not.toHaveProperty('matches');
});

test('fixed pairings are one match in each line', () => {
  expect(pairingsIn('strong, weak\n\n weak ,random,\n')).toEqual([
    ['strong', 'weak'],
    ['weak', 'random'],
  ]);
  const settings = { ...blankTournament(game), pairings: 'strong, weak' };
  expect(tournamentRequest(settings, game)).not.toHaveProperty('pairings');
  expect(tournamentRequest({ ...settings, format: 'fixed' }, game).pairings).toEqual([['strong', 'weak']]);
});

test('what will be played is said before the start', () => {
  const forecast = { matches: 30, openings: 5, per_opening: 6, models: [] };
  expect(forecastText(forecast, { format: 'swiss', narrow: false }, false)).toBe(
    '30 matches: 5 openings of 6. No language model plays: it is free.',
  );
  expect(forecastText({ ...forecast, models: ['model'] }, { format: 'swiss', narrow: true }, false)).toBe(
    'At most 30 matches: 5 openings of 6. model may cost money: no budget is set.',
  );
  expect(forecastText({ ...forecast, models: ['model'] }, { format: 'swiss', narrow: true }, true)).not.toContain(
    'budget',
  );
  expect(forecastText(forecast, { format: 'ladder', narrow: false }, false)).toBe(
    'It goes on until it is stopped, 6 matches an opening. No language model plays: it is free.',
  );
});

test('asks for a ladder without a length', () => {
  const request = tournamentRequest({ ...blankTournament(game), format: 'ladder' }, game);
  expect(request.format).toBe('ladder');
  expect(request).not.toHaveProperty('matches');
});
