import { expect, it } from 'vitest';

import { campaignsHref, leaderboardHref, playerHref } from './addresses';

it('has a query only where there is something to ask for', () => {
  expect([leaderboardHref(), campaignsHref(), playerHref('dumbbot')]).toEqual([
    '/leaderboard',
    '/campaigns',
    '/player/dumbbot',
  ]);
  expect(leaderboardHref('cricket')).toBe('/leaderboard?game=cricket');
  expect(playerHref('a b', 'overs=20')).toBe('/player/a%20b?setting=overs%3D20');
});
