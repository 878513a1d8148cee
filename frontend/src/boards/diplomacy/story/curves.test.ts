import fc from 'fast-check';
import { expect, test } from 'vitest';

import { arrowShape, bow, distance, part, pathThrough, pointAt, through, type Point } from './curves';

const A: Point = [0, 0];
const B: Point = [100, 0];
const point = fc.tuple(fc.integer({ min: 0, max: 1200 }), fc.integer({ min: 0, max: 1100 }));
const numbers = (path: string): number[] => path.match(/-?[\d.]+/g)?.map(Number) ?? [];

test('a bowed way leads from end to end and leans to its left', () => {
  const way = bow(A, B, 0.1);
  expect(way.points[0]).toEqual(A);
  expect(way.points.at(-1)).toEqual(B);
  // To the left of a way to the right is up, which is less y.
  expect(pointAt(way, way.length / 2).point[1]).toBeCloseTo(-10, 0);
});

test('two opposite ways never meet between their ends', () => {
  const [there, back] = [bow(A, B, 0.055), bow(B, A, 0.055)];
  const middles = [0.3, 0.5, 0.7].map((share) => [
    pointAt(there, there.length * share).point,
    pointAt(back, back.length * (1 - share)).point,
  ]);
  for (const [first, second] of middles) expect(distance(first as Point, second as Point)).toBeGreaterThan(7);
});

test('a curve through stops passes each of them', () => {
  const stops: Point[] = [A, [50, 40], [120, 30], [160, 90]];
  const curve = through(stops);
  for (const stop of stops) expect(Math.min(...curve.points.map((at) => distance(at, stop)))).toBeLessThan(1e-9);
});

test('a part of a curve begins and ends where it is told, and is as long', () => {
  fc.assert(
    fc.property(point, point, fc.double({ min: 0, max: 0.4, noNaN: true }), (a, b, start) => {
      fc.pre(distance(a, b) > 5);
      const way = bow(a, b, 0.055);
      const piece = part(way, way.length * start, way.length * 0.8);
      expect(piece.length).toBeCloseTo(way.length * (0.8 - start), 3);
      expect(distance(piece.points[0] as Point, pointAt(way, way.length * start).point)).toBeLessThan(1e-9);
    }),
  );
});

test('an arrow ends in a point where its way ends, and stays close to the way', () => {
  fc.assert(
    fc.property(point, point, (a, b) => {
      fc.pre(distance(a, b) > 2);
      const size = { tail: 1.6, neck: 4, head: 9, tip: 14 };
      const path = arrowShape(bow(a, b, 0.055), size);
      const coordinates = numbers(path);
      expect(coordinates.every(Number.isFinite)).toBe(true);
      const corners = coordinates.flatMap((x, n): Point[] => (n % 2 ? [] : [[x, coordinates[n + 1] ?? NaN]]));
      expect(Math.min(...corners.map((corner) => distance(corner, b)))).toBeLessThan(0.1);
      const reach = distance(a, b) * 0.1 + size.head + 1;
      for (const corner of corners) {
        const along = distance(a, corner) + distance(corner, b) - distance(a, b);
        expect(along).toBeLessThanOrEqual(2 * reach);
      }
    }),
  );
});

test('a path says its points to a tenth', () => {
  expect(
    pathThrough(
      [
        [0, 0.04],
        [10.26, -3],
      ],
      true,
    ),
  ).toBe('M0 0L10.3 -3Z');
});
