import { describe, expect, it } from 'vitest';

import type { Lobby } from '../types.gen';
import { changed, excerptOf } from './lobby';

const LOBBY = {
  version: 'a.1',
  episodes: { first: { episode_id: 'first', last_seq: 4, outcome: null }, two: { episode_id: 'two', last_seq: 9 } },
  live: ['two', 'first'],
  viewers: { first: 3 },
  states: { first: { seq: 3, state: { score: null } } },
  events: {
    'first/5': { episode_id: 'first', seq: 5 },
    'first/4': { episode_id: 'first', seq: 4 },
    'two/9': { episode_id: 'two', seq: 9 },
  },
} as unknown as Lobby;

describe('a change of the lobby', () => {
  it('replaces the fields that it has of an entry and leaves the others', () => {
    const next = changed(LOBBY, { after: 'a.1', version: 'a.2', episodes: { first: { last_seq: 5 } } });
    expect(next?.version).toBe('a.2');
    expect(next?.episodes['first']).toEqual({ episode_id: 'first', last_seq: 5, outcome: null });
    expect(next?.episodes['two']).toBe(LOBBY.episodes['two']);
    expect(LOBBY.episodes['first']?.last_seq).toBe(4);
  });

  it('adds entries, removes those that are null, and replaces lists', () => {
    const change = {
      after: 'a.1',
      version: 'a.2',
      live: ['three'],
      viewers: { first: null, two: 1 },
      events: { 'first/4': null },
    };
    const next = changed(LOBBY, change);
    expect(next?.live).toEqual(['three']);
    expect(next?.viewers).toEqual({ two: 1 });
    expect(Object.keys(next?.events ?? {})).toEqual(['first/5', 'two/9']);
  });

  it('replaces a whole state, in which null is a value', () => {
    const next = changed(LOBBY, { after: 'a.1', version: 'a.2', states: { first: { state: { out: null } } } });
    expect(next?.states['first']).toEqual({ seq: 3, state: { out: null } });
  });

  it('is the whole lobby if it follows nothing, and of no use if it follows another version', () => {
    expect(changed(LOBBY, { after: '', version: 'b.1', live: [] })).toEqual({ version: 'b.1', live: [] });
    expect(changed(LOBBY, { after: 'a.0', version: 'a.1', live: [] })).toBeNull();
  });
});

it('has what the board of a live match is drawn from', () => {
  const excerpt = excerptOf(LOBBY, 'first');
  expect(excerpt?.state).toEqual({ score: null });
  expect(excerpt?.events.map(({ seq }) => seq)).toEqual([4, 5]);
  expect(excerptOf(LOBBY, 'first')).toBe(excerpt);
  expect(excerptOf(LOBBY, 'two')).toBeNull();
});
