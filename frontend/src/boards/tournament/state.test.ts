import { expect, test } from 'vitest';

import { duel, encountersOf, counts, points, pointsIn, ranks, remaining, reduce, rounds, seatsOf } from './state';
import { estimate, event, folded, standings } from './testing/cup';

test('each match has the state that its events give it', () => {
  expect(counts(folded(3))).toEqual({ waiting: 4, live: 0, done: 0, failed: 0 });
  expect(counts(folded(4))).toEqual({ waiting: 3, live: 1, done: 0, failed: 0 });
  expect(folded(4).games[0]).toMatchObject({ progress: 'live', episode: 'cricket-0', at: null });
  expect(counts(folded())).toEqual({ waiting: 0, live: 0, done: 3, failed: 1 });
  expect(folded().games[3]).toMatchObject({ progress: 'failed', at: 1100 });
});

test('an earlier state keeps its own matches', () => {
  const before = folded(4);
  reduce(before, event(4, 'PairingPlayed', { number: 0, status: 'finished' }));
  expect(before.games[0]?.progress).toBe('live');
});

test('a match that is begun again after a restart has its last episode; a pairing is drawn once', () => {
  const again = reduce(folded(4), event(4, 'PairingBegan', { number: 0, episode_id: 'cricket-9' }));
  expect(again.games[0]?.episode).toBe('cricket-9');
  const [pairing] = again.games;
  const twice = reduce(again, event(5, 'PairingsDrawn', { planned: 8, pairings: [pairing] }));
  expect(twice.games).toHaveLength(4);
  expect(twice.planned).toBe(8);
});

test('unknown matches and other events change nothing', () => {
  const cup = folded();
  expect(reduce(cup, event(11, 'PairingBegan', { number: 99, episode_id: '' }))).toBe(cup);
  expect(reduce(cup, event(11, 'CommentAdded'))).toBe(cup);
});

test('points are those of all seats of a player', () => {
  const [game] = folded().games;
  expect(game && points(game, 'alpha')).toBe(1);
  expect(game && points(game, 'beta')).toBe(0);
  expect(game && points(game, 'gamma')).toBeNull();
});

test('matches of the same players in a round are one encounter, whatever their seats', () => {
  const [first, second] = rounds(folded());
  expect(first?.encounters).toHaveLength(1);
  expect(first?.encounters[0]?.games.map(({ number }) => number)).toEqual([0, 1]);
  expect(first?.encounters[0] && pointsIn(first.encounters[0], 'alpha')).toBe(2);
  expect(second?.encounters[0] && pointsIn(second.encounters[0], 'alpha')).toBe(0.5);
  expect(encountersOf([])).toEqual([]);
});

test('a comparison can be read from both sides', () => {
  const { cross } = standings();
  expect(duel(cross, 'gamma', 'alpha')).toMatchObject({ behind: true, ahead: false });
  const turned = duel(cross, 'alpha', 'gamma');
  expect(turned).toMatchObject({ a: 'alpha', b: 'gamma', ahead: true, differ: true });
  expect(turned?.share.mean).toBeCloseTo(0.9);
  expect(turned?.share.low).toBeCloseTo(0.8);
  expect(turned?.share.high).toBeCloseTo(1);
  expect(duel(cross, 'alpha', 'delta')).toBeNull();
});

test('a rank is a range as wide as what is not separated', () => {
  expect(ranks(standings(), 'alpha')).toEqual([1, 2]);
  expect(ranks(standings(), 'beta')).toEqual([1, 3]);
  expect(ranks(standings(), 'gamma')).toEqual([2, 3]);
});

test('seats come from the matches and from the seat table', () => {
  const cup = reduce(
    folded(),
    event(11, 'StandingsUpdated', { ...standings(), seat_effects: { umpire: estimate(1) } }),
  );
  expect(seatsOf(cup)).toEqual(['home', 'away', 'umpire']);
});

test('the remaining time follows from the pace so far, and ends with the tournament', () => {
  expect(remaining(folded(5))).toBeNull();
  const cup = folded(7);
  expect(remaining(cup)).toBeCloseTo(((1060 - 1010) / 2) * 2);
  expect(remaining(reduce(cup, event(7, 'EpisodeEnded', { status: 'stopped' })))).toBeNull();
});
