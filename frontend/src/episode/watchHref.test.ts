import { expect, it, vi } from 'vitest';

import { MATCH } from '../boards/game';
import { watchHref } from './watchHref';

vi.mock('../net/addresses', () => ({ matchHref: (id: string) => `/episode/${id}` }));

const episode = { game: 'diplomacy', episode_id: 'm1', origin: 'showcase', reveal: 'live' } as const;
const press = { terms: MATCH };

it('opens a showcase match with press with all secrets, and any other as a spectator', () => {
  expect(watchHref(episode, press)).toBe('/episode/m1?as=analyst');
  expect(watchHref(episode, { terms: { ...MATCH, press: false } })).toBe('/episode/m1');
  expect(watchHref({ ...episode, reveal: 'after' }, press)).toBe('/episode/m1');
  expect(watchHref({ ...episode, origin: 'api' }, press)).toBe('/episode/m1');
});
