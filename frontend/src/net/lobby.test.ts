import { describe, expect, it } from 'vitest';

import type { Lobby } from '../types.gen';
import { changed } from './lobby';

const LOBBY = {
  version: 'a.1',
  episodes: { first: { episode_id: 'first', last_seq: 4, outcome: null }, two: { episode_id: 'two', last_seq: 9 } },
  live: ['two', 'first'],
  viewers: { first: 3 },
  glances: { first: { picture: { width: 3 }, owners: null, rows: [], facts: [] } },
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
    };
    const next = changed(LOBBY, change);
    expect(next?.live).toEqual(['three']);
    expect(next?.viewers).toEqual({ two: 1 });
  });

  it('replaces a whole picture', () => {
    const next = changed(LOBBY, { after: 'a.1', version: 'a.2', glances: { first: { picture: { height: 2 } } } });
    expect(next?.glances['first']).toEqual({ picture: { height: 2 }, owners: null, rows: [], facts: [] });
  });

  it('is the whole lobby if it follows nothing, and of no use if it follows another version', () => {
    expect(changed(LOBBY, { after: '', version: 'b.1', live: [] })).toEqual({ version: 'b.1', live: [] });
    expect(changed(LOBBY, { after: 'a.0', version: 'a.1', live: [] })).toBeNull();
  });
});
