import { describe, expect, it } from 'vitest';

import { EMPTY, LONGEST, pack, unpack } from './line';

const MOVES = [
  { seat: 'FRANCE', action: { orders: ['A PAR - BUR', 'F BRE - MAO'] } },
  { seat: 'TURKEY', action: null },
  { seat: null, action: { province: 'MUN', unit: 'none' } },
];

describe('the line of a sandbox in an address', () => {
  it('comes back as it was, also with words in any script', async () => {
    const line = { moves: MOVES, shown: 1, draw: 3, question: 'Où va la flotte ? 舰队' };
    const packed = await pack(line);
    expect(packed).toMatch(/^line=[\w-]+$/);
    expect(await unpack(`#${packed}`)).toEqual(line);
  });

  it('is short for a hundred moves', async () => {
    const moves = Array.from({ length: 100 }, () => MOVES[0] ?? { seat: '' });
    expect((await pack({ ...EMPTY, moves, shown: 100 })).length).toBeLessThan(400);
  });

  it('is nothing where nothing was tried', async () => {
    expect(await pack(EMPTY)).toBe('');
    expect(await unpack('')).toEqual(EMPTY);
    expect(await unpack('#')).toEqual(EMPTY);
  });

  it('is refused where it is damaged, foreign or too long', async () => {
    const packed = await pack({ ...EMPTY, moves: MOVES });
    expect(await unpack(packed.slice(0, -8))).toBeNull();
    expect(await unpack('#seat=token')).toBeNull();
    expect(await unpack(`line=${'A'.repeat(100_000)}`)).toBeNull();
    const bomb = await pack({ ...EMPTY, question: 'x'.repeat(2_000_000) });
    expect(bomb.length).toBeLessThan(64_000);
    expect(await unpack(bomb)).toBeNull();
    for (const line of [
      { ...EMPTY, shown: 1 },
      { ...EMPTY, draw: -1, moves: MOVES },
      { ...EMPTY, question: 'x'.repeat(LONGEST + 1) },
      { ...EMPTY, moves: [{ seat: 7 as unknown as string, action: null }] },
    ])
      expect(
        line.shown || line.draw || line.question || line.moves.length ? await unpack(await pack(line)) : null,
      ).toBe(line.shown ? EMPTY : null);
  });
});
