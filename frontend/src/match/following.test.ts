import { describe, expect, it } from 'vitest';

import { summary } from '../testing/episode';
import type { EpisodeList, EpisodeSummary } from '../types.gen';
import { following } from './following';

const match = (id: string, more: Partial<EpisodeSummary> = {}): EpisodeSummary => ({
  ...summary,
  episode_id: id,
  game: 'go',
  origin: 'showcase',
  ...more,
});
const excited = (excitement: number) => ({ outlook: { chances: {}, excitement, headline: '', rests_on: [] } });
const list = (episodes: EpisodeSummary[], lane: string | null = null): EpisodeList => ({
  episodes,
  total: episodes.length,
  lanes: [{ game: 'go', episode_id: lane, next_at: null }],
  viewers: {},
  queue: [],
  waiting: [],
  awaited: [],
});
const next = (all: EpisodeList): string | undefined => following(match('over'), all)?.episode_id;

describe('the match that follows', () => {
  it('is the next showcase of the same game', () => {
    expect(next(list([match('a', excited(0.9)), match('b')], 'b'))).toBe('b');
  });

  it('is the most exciting other one while there is none', () => {
    expect(next(list([match('a'), match('b', excited(0.5))], 'over'))).toBe('b');
  });

  it('is none that is over, paused, or not for everybody', () => {
    const still = [match('a', { paused: true }), match('b', { status: 'finished' }), match('c', { origin: 'api' })];
    expect(next(list([match('over'), ...still], 'a'))).toBeUndefined();
  });
});
