import { describe, expect, it } from 'vitest';

import { drawings, inOrder, type Anchors, type Drawing } from './arrows';
import { distance, type Point } from '../story/curves';
import type { PlayedOrder } from '../orders';
import { build, convoy, disband, hold, move, retreat, support } from '../testing/orders';

const R = 10;
const AT: Record<string, Point> = {
  PAR: [0, 0],
  BUR: [100, 0],
  MAR: [100, 100],
  MUN: [200, 0],
  LON: [0, -300],
  ENG: [0, -200],
  MAO: [-100, -100],
  SPA: [-100, 200],
};
const anchors: Anchors = {
  unit: (place) => AT[place.slice(0, 3)] ?? [0, 0],
  dislodged: (place) => {
    const [x, y] = anchors.unit(place);
    return [x + 20, y + 20];
  },
};

const bounced = { results: ['bounce'] };

function draw(...orders: PlayedOrder[]): readonly Drawing[] {
  return drawings({ phase: 'S1901M', orders }, anchors, R);
}

function only(...orders: PlayedOrder[]): Drawing {
  const [first] = draw(...orders);
  if (!first) throw new Error('nothing was drawn');
  return first;
}

/** The points of a path, of its straight parts alone. */
function points(path: string): Point[] {
  const numbers = path.split(/[A-Za-z]/).map((part) => part.trim().split(/[ ,]+/).map(Number));
  return numbers.filter((pair) => pair.length === 2).map(([x, y]) => [x ?? NaN, y ?? NaN]);
}

const nearest = (path: string, place: Point): number => Math.min(...points(path).map((at) => distance(at, place)));

describe('a move', () => {
  it('leads from where the unit stood to the edge of where it stands', () => {
    const arrow = only(move('A PAR', 'BUR'));
    expect(nearest(arrow.shape, [0, 0])).toBeLessThan(2);
    expect(nearest(arrow.shape, [100, 0])).toBeCloseTo(R * 1.12, 0);
    expect(arrow.mark).toBeNull();
  });

  it('begins at the edge of a unit that took its place', () => {
    const arrow = only(move('A PAR', 'BUR'), move('A MAR', 'PAR'));
    expect(nearest(arrow.shape, [0, 0])).toBeGreaterThan(R * 0.7);
  });

  it('that bounced stops short of the unit that holds, with a mark', () => {
    const arrow = only(move('A PAR', 'BUR', bounced), hold('A BUR'));
    expect(arrow.mark?.kind).toBe('bounce');
    expect(nearest(arrow.shape, [100, 0])).toBeGreaterThan(R * 1.5);
    expect(arrow.reached).toBeLessThan(0.9);
  });

  it('against one that comes the other way stops before the middle, apart from it', () => {
    const [attack, counter] = draw(move('A PAR', 'BUR', bounced), move('A BUR', 'PAR', bounced)) as readonly [
      Drawing,
      Drawing,
    ];
    expect(attack.reached).toBeLessThan(0.5);
    expect(distance(attack.mark?.at as Point, counter.mark?.at as Point)).toBeGreaterThan(4);
  });

  it('that had no convoy fails without a clash', () => {
    expect(only(move('A PAR', 'LON', { results: ['no convoy'], bySea: true })).mark?.kind).toBe('fail');
  });

  it('by sea goes by the fleets that carry it, in the order of the way', () => {
    const drawn = draw(
      move('A SPA', 'LON', { bySea: true }),
      convoy('F ENG', 'A SPA', 'LON'),
      convoy('F MAO', 'A SPA', 'LON'),
    );
    const way = drawn[0]?.way?.points ?? [];
    const passed = (place: Point): number => way.findIndex((at) => distance(at, place) < 0.01);
    expect(passed([-100, -100])).toBeGreaterThan(0);
    expect(passed([0, -200])).toBeGreaterThan(passed([-100, -100]));
    expect(drawn[1]?.mark).toBeNull();
  });

  it('by land ignores a fleet that offered to carry it', () => {
    const [arrow] = draw(move('A PAR', 'BUR'), convoy('F ENG', 'A PAR', 'BUR', { results: ['no convoy'] }));
    expect(arrow?.way?.points.some((at) => distance(at, [0, -200]) < 60)).toBe(false);
  });
});

describe('a support', () => {
  it('of a move joins its arrow', () => {
    const [arrow, line] = draw(move('A PAR', 'BUR'), support('A MAR', 'A PAR', 'BUR')) as readonly [Drawing, Drawing];
    const end = points(line.line).at(-1) as Point;
    expect(Math.min(...(arrow.way?.points ?? []).map((at) => distance(at, end)))).toBeLessThan(8);
    expect(line.mark).toBeNull();
  });

  it('joins a move that bounced where it is drawn', () => {
    const [arrow, line] = draw(move('A PAR', 'BUR', bounced), support('A MAR', 'A PAR', 'BUR')) as readonly [
      Drawing,
      Drawing,
    ];
    const end = points(line.line).at(-1) as Point;
    expect(end[0]).toBeLessThan((arrow.way?.length ?? 0) * arrow.reached);
  });

  it('of the same move as another one joins elsewhere', () => {
    const drawn = draw(move('A PAR', 'BUR'), support('A MAR', 'A PAR', 'BUR'), support('A MUN', 'A PAR', 'BUR'));
    const [first, second] = drawn.slice(1).map(({ line }) => points(line).at(-1) as Point) as [Point, Point];
    expect(distance(first, second)).toBeGreaterThan(5);
  });

  it('of a unit that holds ends in a cup around it', () => {
    const line = only(support('A MAR', 'A BUR'), hold('A BUR'));
    expect(line.line).toContain('A14.2 14.2');
    expect(nearest(line.line, [100, 0])).toBeGreaterThan(R);
  });

  it('that was cut is marked so, and one that matched nothing otherwise', () => {
    expect(only(support('A MAR', 'A PAR', 'BUR', { results: ['cut'] })).mark?.kind).toBe('cut');
    expect(only(support('A MAR', 'A PAR', 'BUR', { results: ['void'] }), hold('A PAR')).mark?.kind).toBe('fail');
  });

  it('finds a fleet on its coast where the coast is left out', () => {
    const places: string[] = [];
    const spying: Anchors = { ...anchors, unit: (place) => (places.push(place), anchors.unit(place)) };
    drawings({ phase: 'S1901M', orders: [support('A MAR', 'F SPA'), hold('F SPA/SC')] }, spying, R);
    expect(places).toContain('F SPA/SC'.slice(2));
  });
});

describe('the other orders', () => {
  it('hold draws a ring, build a mark, a waived build and a disbanded unit nothing', () => {
    expect(only(hold('A PAR')).line).toMatch(/^M.*Z$/);
    expect(only(build('A PAR')).mark?.kind).toBe('build');
    expect(draw({ ...build('A PAR'), kind: 'waive', unit: null }, disband('A PAR'))).toEqual([]);
    expect(draw(build('A PAR', { results: ['void'] }))).toEqual([]);
  });

  it('retreat sets out from where the beaten unit stands aside', () => {
    const arrow = only(retreat('A BUR', 'PAR'));
    expect(arrow.way?.points[0]).toEqual([120, 20]);
  });
});

it('orders stops by the shortest way', () => {
  const stops: Point[] = [
    [30, 0],
    [10, 0],
    [20, 0],
  ];
  expect(inOrder([0, 0], stops, [40, 0]).map(([x]) => x)).toEqual([10, 20, 30]);
  const many = [5, 3, 6, 1, 4, 2].map((x): Point => [x * 10, 0]);
  expect(inOrder([0, 0], many, [70, 0]).map(([x]) => x)).toEqual([10, 20, 30, 40, 50, 60]);
});
