import { describe, expect, it } from 'vitest';

import type { EpisodeSummary } from '../types.gen';
import { begun, endingOf, followedMatches } from './matches';

const episode = (id: string, players: readonly string[], more: Partial<EpisodeSummary> = {}): EpisodeSummary =>
  ({
    episode_id: id,
    status: 'live',
    created_at: 1,
    ended_at: null,
    outcome: null,
    seats: players.map((player, n) => ({ seat: `S${n}`, player })),
    ...more,
  }) as EpisodeSummary;
const over = (id: string, players: readonly string[], at: number, winners: string[] = ['S0']): EpisodeSummary =>
  episode(id, players, {
    status: 'finished',
    ended_at: at,
    outcome: { reason: 'win', winners, scores: {}, text: '' } as unknown as EpisodeSummary['outcome'],
  });

describe('the matches of followed players', () => {
  it('begin with those that are live, then those that wait', () => {
    const episodes = [
      over('old', ['a', 'b'], 5),
      over('older', ['a'], 4),
      episode('queued', ['b'], { status: 'queued' }),
      episode('live', ['c', 'b2']),
      episode('newer', ['c'], { created_at: 2 }),
    ];
    const found = followedMatches(['a', 'b', 'c', 'nobody'], episodes, ['queued']);
    expect(found.map(({ player, when, episode: { episode_id: id } }) => [player, when, id])).toEqual([
      ['c', 'now', 'newer'],
      ['b', 'next', 'queued'],
      ['a', 'last', 'old'],
    ]);
  });

  it('say how they ended', () => {
    expect(endingOf(over('m', ['a', 'b'], 1), 'a')).toBe('won');
    expect(endingOf(over('m', ['a', 'b'], 1), 'b')).toBe('did not win');
    expect(endingOf(episode('m', ['a'], { status: 'stopped' }), 'a')).toBe('was stopped');
  });
});

describe('a beginning', () => {
  const live = [episode('m', ['a', 'b', 'c']), episode('n', ['d'])];

  it('is told once, with all who are followed', () => {
    expect(begun(new Set(), live, ['a', 'c', 'x'])).toEqual([{ episode: live[0], players: ['a', 'c'] }]);
    expect(begun(new Set(['m']), live, ['a'])).toEqual([]);
  });

  it('is none of a match that was live when the page was opened', () => {
    expect(begun(null, live, ['a'])).toEqual([]);
  });
});
