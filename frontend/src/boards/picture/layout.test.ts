import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { layout, type Spot } from './layout';
import { gone, motions, MOVES } from './motion';
import type { Picture, Place, Thing } from './picture.gen';
import { GRID, MAP, TABLE } from './testing/pictures';

const at = (picture: Picture, id: string): Spot => {
  const spot = layout(picture).spots.find(({ thing }) => thing.id === id);
  if (!spot) throw new Error(`nothing is drawn for ${id}`);
  return spot;
};
const place = (more: Partial<Place>): Place => ({ id: 'hand', x: 50, y: 50, width: 40, height: 16, ...more });
const cards = (count: number): Thing[] =>
  Array.from({ length: count }, (_, n) => ({ id: `c${n}`, kind: 'card', at: 'hand' }));
const board = (holds: Place['holds'], count: number): Picture => ({
  places: [place({ ...(holds ? { holds } : {}) })],
  things: cards(count),
  describe: '',
});

describe('what stands at a place', () => {
  it('lies within it side by side, evenly and in order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (count) => {
        const { spots } = layout(board('row', count));
        expect(spots).toHaveLength(count);
        const [first, last] = [spots[0] as Spot, spots.at(-1) as Spot];
        expect(first.x - first.width / 2).toBeGreaterThanOrEqual(30 - 1e-9);
        expect(last.x + last.width / 2).toBeLessThanOrEqual(70 + 1e-9);
        expect(first.x + last.x).toBeCloseTo(100);
        for (const [n, { x }] of spots.slice(1).entries()) expect(x).toBeGreaterThan((spots[n] as Spot).x);
      }),
    );
  });

  it('lies over each other, or in a stack each a little higher', () => {
    expect(new Set(layout(board('one', 4)).spots.map(({ x, y }) => `${x} ${y}`))).toEqual(new Set(['50 50']));
    const heights = layout(board('stack', 4)).spots.map(({ y }) => y);
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    expect(new Set(heights).size).toBe(4);
  });

  it('leaves out what is at a place that the picture does not have', () => {
    const lost: Picture = {
      places: [],
      things: [...cards(1), { id: 'a', kind: 'arrow', at: [0, 0], to: 'x' }],
      describe: '',
    };
    expect(layout(lost).spots).toEqual([]);
  });
});

describe('an arrow', () => {
  it('ends before the pieces at its ends, and one that comes back lies beside it', () => {
    const [out, back] = [at(MAP, 'o3'), at(MAP, 'o4')];
    expect(out.way?.head.split(' ')).toHaveLength(6);
    expect(Math.hypot(...[0, 1].map((n) => (out.way?.middle[n] ?? 0) - (back.way?.middle[n] ?? 0)))).toBeGreaterThan(3);
    expect(at(MAP, 'l1').way).toMatchObject({ head: '' });
  });

  it('has a head that is the same on both sides of its line', () => {
    const things: Thing[] = [{ id: 'a', kind: 'arrow', at: [10, 20], to: [70, 60] }];
    const corners = at({ places: [], things, describe: '' }, 'a').way?.head.split(' ').map(Number) ?? [];
    const [tipX = 0, tipY = 0, leftX = 0, leftY = 0, rightX = 0, rightY = 0] = corners;
    expect(Math.hypot(leftX - tipX, leftY - tipY)).toBeCloseTo(Math.hypot(rightX - tipX, rightY - tipY), 1);
    expect(Math.hypot(leftX - rightX, leftY - rightY)).toBeGreaterThan(1);
  });

  it('has no way from a place to itself', () => {
    const here: Picture = { ...GRID, things: [{ id: 'a', kind: 'arrow', at: 'a1', to: 'a1' }] };
    expect(layout(here).spots).toEqual([]);
  });
});

describe('the change from one moment to the next', () => {
  const change = (picture: Picture, id: string, to: Partial<Thing>): Picture => ({
    ...picture,
    things: picture.things.map((thing) => (thing.id === id ? { ...thing, ...to } : thing)),
  });

  it('moves a thing whose id persists, in whatever order it is drawn, and nothing else', () => {
    const [before, after] = [
      layout(GRID),
      layout(change({ ...GRID, things: GRID.things.toReversed() }, 'n1', { at: 'b4' })),
    ];
    expect(motions(before, after)).toMatchObject([
      { of: 'n1', frames: [{ transform: 'translate(12.5px, 12.5px) scale(1)' }, {}], timing: { duration: MOVES } },
    ]);
  });

  it('turns a card over, lets what is new appear and what is gone fade', () => {
    const shown = change(TABLE, 'b0', { state: '', label: 'A♥' });
    expect(motions(layout(TABLE), layout(shown))[0]?.frames[0]?.['transform']).toContain('scale(0.05, 1)');
    const fewer = { ...TABLE, things: TABLE.things.filter(({ id }) => id !== 'd4') };
    expect(gone(layout(TABLE), layout(fewer)).map(({ thing }) => thing.id)).toEqual(['d4']);
    expect(motions(layout(TABLE), layout(fewer))).toMatchObject([
      { of: 'd4', frames: [{ opacity: 1 }, { opacity: 0 }] },
    ]);
    expect(motions(layout(fewer), layout(TABLE))).toMatchObject([
      { of: 'd4', frames: [{ opacity: 0 }, { opacity: 1 }] },
    ]);
  });

  it('is nothing where nothing changed', () => {
    for (const picture of [GRID, TABLE, MAP]) expect(motions(layout(picture), layout({ ...picture }))).toEqual([]);
  });
});
