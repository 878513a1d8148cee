import { expect, it } from 'vitest';

import { playerName } from './playerName';

it('names a player who is another than the seat', () => {
  expect(playerName('coordinated', 'France')).toBe('coordinated');
});

it('does not say the name of a team twice', () => {
  expect(playerName('Redstone Lynxes', 'Redstone Lynxes')).toBe('');
});

it('says nothing of players whom an imported document does not name', () => {
  expect(playerName('unnamed', 'France')).toBe('');
});
