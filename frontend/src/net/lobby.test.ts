import { describe, expect, it } from 'vitest';

import type { Lobby } from '../types.gen';
import { changed, excerptOf } from './lobby';

const LOBBY = {
  version: 'a.1',
  episodes: { one: { episode_id: 'one', last_seq: 4, outcome: null }, two: { episode_id: 'two', last_seq: 9 } },
  live: ['two', 'one'],
  viewers: { one: 3 },
  states: { one: { seq: 3, state: { score: null } } },
  events: {
    'one/5': { episode_id: 'one', seq: 5 },
    'one/4': { episode_id: 'one', seq: 4 },
    'two/9': { episode_id: 'two', seq: 9 },
  },
} as unknown as Lobby;

describe('a change of the lobby', () => {
  it('replaces the fields that it has of an entry and leaves the others', () => {
    const next = changed(LOBBY, { after: 'a.1', version: 'a.2', episodes: { one: { last_seq: 5 } } });
    expect(next?.version).toBe('a.2');
    expect(next?.episodes['one']).toEqual({ episode_id: 'one', last_seq: 5, outcome: null });
    expect(next?.episodes['two']).toBe(LOBBY.episodes['two']);
    expect(LOBBY.episodes['one']?.last_seq).toBe(4);
  });

  it('adds entries, removes those that are null, and replaces lists', () => {
    const change = {
      after: 'a.1',
      version: 'a.2',
      live: ['three'],
      viewers: { one: null, two: 1 },
      events: { 'one/4': null },
    };
    const next = changed(LOBBY, change);
    expect(next?.live).toEqual(['three']);
    expect(next?.viewers).toEqual({ two: 1 });
    expect(Object.keys(next?.events ?? {})).toEqual(['one/5', 'two/9']);
  });

  it('replaces a whole state, in which null is a value', () => {
    const next = changed(LOBBY, { after: 'a.1', version: 'a.2', states: { one: { state: { out: null } } } });
    expect(next?.states['one']).toEqual({ seq: 3, state: { out: null } });
  });

  it('is the whole lobby if it follows nothing, and of no use if it follows another version', () => {
    expect(changed(LOBBY, { after: '', version: 'b.1', live: [] })).toEqual({ version: 'b.1', live: [] });
    expect(changed(LOBBY, { after: 'a.0', version: 'a.1', live: [] })).toBeNull();
  });
});

it('has what the board of a live match is drawn from', () => {
  const excerpt = excerptOf(LOBBY, 'one');
  expect(excerpt?.state).toEqual({ score: null });
  expect(excerpt?.events.map(({ seq }) => seq)).toEqual([4, 5]);
  expect(excerptOf(LOBBY, 'one')).toBe(excerpt);
  expect(excerptOf(LOBBY, 'two')).toBeNull();
});
