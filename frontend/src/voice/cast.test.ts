import { expect, it } from 'vitest';

import { cast, characterOf } from './cast';

const POWERS = ['Bismarck', 'Andrassy', 'Cavour', 'Talleyrand', 'Disraeli', 'Gorchakov', 'Reshid'];
const VOICES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gwen', 'Hal', 'Ida'];

it('gives each character a voice of its own, whoever is asked for first', () => {
  const parts = cast(POWERS, VOICES, false);
  expect(new Set([...parts.values()].map(({ voice }) => voice)).size).toBe(7);
  expect([...parts.values()].every(({ pitch, rate }) => pitch === 1 && rate === 1)).toBe(true);
  expect(cast([...POWERS].reverse(), VOICES, false)).toEqual(parts);
});

it('gives a character the same voice in another company, if it is free', () => {
  const alone = (name: string): unknown => cast([name], VOICES, false).get(name)?.voice;
  expect(new Set(POWERS.map(alone)).size).toBeGreaterThan(3);
  expect(cast(['Bismarck', 'Zed'], VOICES, false).get('Bismarck')?.voice).toBe(alone('Bismarck'));
});

it.each([1, 2, 3])('tells characters apart by their tone where there are only %i voices', (count) => {
  const parts = cast(POWERS, VOICES.slice(0, count), false);
  expect(new Set([...parts.values()].map((part) => JSON.stringify(part))).size).toBe(7);
  expect(new Set([...parts.values()].map(({ voice }) => voice)).size).toBe(count);
});

it('leaves the usual tone to a commentator with the same voice, and never runs out', () => {
  const many = cast([...POWERS, ...VOICES], [null], true);
  expect(many.size).toBe(16);
  expect([...many.values()].some(({ pitch, rate }) => pitch === 1 && rate === 1)).toBe(false);
});

it('takes a proper name for a character, and that of no other player', () => {
  const seat = (seat: string, player: string) => ({ seat, player, kind: 'bot', prompt: '' });
  const seats = [seat('A', 'Bismarck'), seat('B', 'coordinated'), seat('C', 'Twin'), seat('D', 'Twin')];
  expect(['A', 'B', 'C', 'X'].map((id) => characterOf(id, seats))).toEqual(['Bismarck', '', '', '']);
});
