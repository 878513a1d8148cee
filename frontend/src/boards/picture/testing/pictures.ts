/** Three pictures: a game on a grid, a card table, and a map. */

import type { Picture } from '../picture.gen';
const COLUMNS = ['a', 'b', 'c', 'd'];
const SIZE = 25;
const CELLS = COLUMNS.flatMap((_, row) =>
  COLUMNS.map((column, index): Picture['places'][number] => ({
    id: `${column}${4 - row}`,
    x: (index + 0.5) * SIZE,
    y: (row + 0.5) * SIZE,
    width: SIZE,
    height: SIZE,
    tone: (index + row) % 2 ? 'dark' : 'light',
    label: index === 0 || row === 3 ? `${column}${4 - row}` : '',
  })),
);
const KNIGHT = 'M-3 4L3 4L2.4 2C3 -1 2 -4 -1 -4L-1.6 -3L-3 -.6L-2.4 .6L-.6 0L-2 2Z';
export const GRID: Picture = {
  places: CELLS,
  width: 100,
  height: 100,
  describe: 'Four by four: north to move, three pieces each.',
  things: [
    { id: 'n1', kind: 'piece', at: 'a4', owner: 'north', label: 'K' },
    { id: 'n2', kind: 'piece', at: 'b3', owner: 'north', symbol: KNIGHT },
    { id: 'n3', kind: 'piece', at: 'd2', owner: 'north', state: 'strong', label: '12' },
    { id: 's1', kind: 'piece', at: 'd1', owner: 'south', label: 'K' },
    { id: 's2', kind: 'piece', at: 'c2', owner: 'south', state: 'failed' },
    { id: 's3', kind: 'piece', at: 'a1', owner: 'south', state: 'muted' },
    { id: 'w', kind: 'piece', at: 'c4', tone: 'light', label: '♙' },
    { id: 'b', kind: 'piece', at: 'd4', tone: 'dark', label: '♟' },
    { id: 'h1', kind: 'bar', at: 'b3', value: 0.6, owner: 'north' },
    { id: 'ar', kind: 'arrow', at: 'd2', to: 'c2', tone: 'accent' },
    { id: 't', kind: 'token', at: 'b1', tone: 'good', label: '3' },
    { id: 'tx', kind: 'text', at: 'c1', label: 'exit' },
  ],
  figures: [
    { label: 'North', value: '3', owner: 'north' },
    { label: 'South', value: '2', owner: 'south' },
    { label: 'Move', value: '14' },
  ],
};
const card = (id: string, at: string, label: string, more = {}) => ({ id, kind: 'card' as const, at, label, ...more });
export const TABLE: Picture = {
  width: 120,
  height: 90,
  describe: 'Ann has bet 20; the board shows K♥ 7♠ 10♦.',
  places: [
    {
      id: 'felt',
      x: 60,
      y: 45,
      width: 118,
      height: 88,
      outline: 'M12 10H108Q116 10 116 45T108 80H12Q4 80 4 45T12 10Z',
      tone: 'table',
    },
    { id: 'ann', x: 60, y: 79, width: 46, height: 16, outline: 'none', owner: 'ann', label: 'Ann', holds: 'row' },
    { id: 'bob', x: 60, y: 16, width: 46, height: 16, outline: 'none', owner: 'bob', label: 'Bob', holds: 'row' },
    { id: 'board', x: 62, y: 46, width: 60, height: 18, outline: 'none', holds: 'row' },
    { id: 'deck', x: 20, y: 46, width: 14, height: 18, outline: 'none', holds: 'stack' },
    { id: 'pot', x: 104, y: 46, width: 14, height: 14, outline: 'disc', label: 'pot', holds: 'stack' },
    { id: 'chips', x: 96, y: 72, width: 20, height: 8, outline: 'none', holds: 'row', owner: 'ann' },
  ],
  things: [
    ...['A♠', 'K♠', 'Q♦', 'J♣', '10♥', '9♥', '4♣', '2♦'].map((l, i) =>
      card('a' + i, 'ann', l, { state: i === 2 ? 'strong' : '' }),
    ),
    ...[0, 1, 2].map((i) => card('b' + i, 'bob', '', { state: 'hidden', owner: 'bob' })),
    card('c1', 'board', 'K♥'),
    card('c2', 'board', '7♠'),
    card('c3', 'board', 'T♦'),
    card('c4', 'board', 'Draw two', { tone: 'bad' }),
    card('c5', 'board', '12', { tone: 'accent' }),
    ...[0, 1, 2, 3, 4].map((i) => card('d' + i, 'deck', '', { state: 'hidden' })),
    ...[5, 10, 20].map((v, i) => ({
      id: 'p' + i,
      kind: 'token' as const,
      at: 'pot',
      label: String(v),
      size: 1.6,
      tone: (['bad', 'accent', 'good'] as const)[i],
    })),
    ...[1, 2, 3].map((i) => ({ id: 'ch' + i, kind: 'piece' as const, at: 'chips', owner: 'ann', label: '5' })),
  ],
  figures: [
    { label: 'Ann', value: '180 chips', owner: 'ann' },
    { label: 'Bob', value: '195 chips', owner: 'bob' },
  ],
};
export const MAP: Picture = {
  width: 160,
  height: 100,
  describe: 'North attacks Vale from Hill with support from Wood; the attack fails.',
  places: [
    { id: 'sea', x: 80, y: 92, width: 60, height: 12, outline: 'M0 0H160V100H0Z', tone: 'water', label: 'Grey Sea' },
    {
      id: 'hill',
      x: 38,
      y: 30,
      width: 26,
      height: 18,
      outline: 'M12 14L34 8L62 14L66 38L48 48L24 50L10 36Z',
      owner: 'north',
      label: 'Hill',
    },
    {
      id: 'vale',
      x: 92,
      y: 32,
      width: 26,
      height: 18,
      outline: 'M62 14L96 6L122 16L118 44L92 54L66 38Z',
      owner: 'south',
      label: 'Vale',
    },
    {
      id: 'wood',
      x: 52,
      y: 64,
      width: 26,
      height: 18,
      outline: 'M24 50L48 48L66 38L92 54L84 78L44 82L22 70Z',
      tone: 'land',
      label: 'Wood',
    },
    {
      id: 'keep',
      x: 122,
      y: 60,
      width: 26,
      height: 18,
      outline: 'M118 44L146 40L150 70L112 80L84 78L92 54Z',
      owner: 'east',
      label: 'Keep',
    },
  ],
  things: [
    { id: 'u1', kind: 'piece', at: 'hill', owner: 'north', label: 'A', size: 0.8 },
    { id: 'u2', kind: 'piece', at: 'wood', owner: 'north', label: 'A', size: 0.8 },
    { id: 'u3', kind: 'piece', at: 'vale', owner: 'south', label: 'F', size: 0.8 },
    { id: 'u4', kind: 'piece', at: 'keep', owner: 'east', label: 'A', size: 0.8, symbol: 'M-4 -3H4V3H-4Z' },
    { id: 'o1', kind: 'arrow', at: 'hill', to: 'vale', owner: 'north', state: 'failed' },
    { id: 'o2', kind: 'arrow', at: 'wood', to: [78, 31], owner: 'north', state: 'support' },
    { id: 'o3', kind: 'arrow', at: 'keep', to: 'vale', owner: 'east' },
    { id: 'o4', kind: 'arrow', at: 'vale', to: 'keep', owner: 'south' },
    { id: 'l1', kind: 'line', at: 'wood', to: 'keep', tone: 'muted' },
  ],
  figures: [
    { label: 'North', value: '2', owner: 'north' },
    { label: 'South', value: '1', owner: 'south' },
    { label: 'East', value: '1', owner: 'east' },
  ],
};
