import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { camera, type Point } from './camera';
import { flight, type Spot } from './flight';
import { groundPaths } from './ground';
import { landsAfter, motions } from './motion';
import { CLOSE, keeperTo, OVAL, PITCH, placeOf, polar, ROPE, ropeAt } from './places';
import { BALLS } from '../testing/match';
import { boundary, pictured, wicketOf } from '../vocabulary';

const size = fc.record({ width: fc.integer({ min: 200, max: 2000 }), height: fc.integer({ min: 120, max: 1400 }) });
const fromMiddle = ({ leg, up }: { leg: number; up: number }): number => Math.hypot(leg, up - PITCH / 2);

describe('the camera', () => {
  it('has the whole ground in the frame, whatever its shape', () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }), ({ width, height }, angle) => {
        const [x, y] = camera(OVAL, width, height).at(
          OVAL.across * Math.sin(angle),
          PITCH / 2 + OVAL.across * Math.cos(angle),
        );
        expect(x).toBeGreaterThan(-1);
        expect(x).toBeLessThan(width + 1);
        expect(y).toBeGreaterThan(-1);
        expect(y).toBeLessThan(height + 1);
      }),
    );
  });

  it('sees right as right, the bowler below, what is high above, and what is near larger', () => {
    fc.assert(
      fc.property(size, ({ width, height }) => {
        for (const scope of [OVAL, CLOSE]) {
          const view = camera(scope, width, height);
          expect(view.at(1, 5)[0]).toBeGreaterThan(view.at(0, 5)[0]);
          expect(view.at(0, PITCH)[1]).toBeGreaterThan(view.at(0, 0)[1]);
          expect(view.at(0, 5, 2)[1]).toBeLessThan(view.at(0, 5)[1]);
          expect(view.scale(0, PITCH)).toBeGreaterThan(view.scale(0, 0));
        }
      }),
    );
  });

  it('draws no line that is not a number', () => {
    for (const path of Object.values(groundPaths(camera(OVAL, 0, 0))).flat()) expect(path).not.toMatch(/NaN|Infinity/);
  });
});

describe('places', () => {
  it('of the rules are all inside the rope', () => {
    for (const name of ['long stop', 'straight hit', 'deep extra cover', 'deep square leg', 'first slip']) {
      const place = placeOf(name);
      expect(place && fromMiddle(place)).toBeLessThan(ROPE);
    }
    expect(placeOf('nowhere')).toBeUndefined();
  });

  it('have the leg side positive, and the keeper up for spin', () => {
    expect(placeOf('square leg')?.leg).toBeGreaterThan(0);
    expect(placeOf('point')?.leg).toBeLessThan(0);
    expect(keeperTo('LB').up).toBeGreaterThan(keeperTo('RF').up);
    expect(keeperTo('RM', 'middle_medium')).toBe(keeperTo('LB'));
    expect(keeperTo('RF', 'middle_medium')).toBe(keeperTo('RF'));
  });

  it('meet the rope on the rope', () => {
    fc.assert(
      fc.property(fc.integer({ min: -180, max: 180 }), (angle) => {
        expect(fromMiddle(ropeAt(angle))).toBeCloseTo(ROPE, 6);
        const { leg, up } = ropeAt(angle);
        const along = polar(angle, Math.hypot(leg, up));
        expect([along.leg, along.up]).toEqual([expect.closeTo(leg, 6), expect.closeTo(up, 6)]);
      }),
    );
  });
});

describe('the way of a ball', () => {
  const ways = BALLS.map(({ ball }) => ball)
    .filter(pictured)
    .map((ball) => ({ ball, way: flight(ball, keeperTo('RF')) }));
  const at = ([leg, up]: Spot): { leg: number; up: number } => ({ leg, up });

  it('begins in the hand, pitches where the event says, and ends where it went', () => {
    for (const { ball, way } of ways) {
      expect(way.delivery[0]?.[1]).toBeGreaterThan(PITCH - 2);
      if (way.bounce)
        expect([-way.bounce[0] + 0, way.bounce[1]]).toEqual(ball.pitch.map((coordinate) => coordinate + 0));
      if (ball.landed[0] === 'full_toss') expect(way.bounce).toBeNull();
      else if ((ball.pitch[1] ?? 0) > 2) expect(way.bounce).not.toBeNull();
      expect(way.end).toEqual((way.struck.length ? way.struck : way.delivery).at(-1));
      expect(way.struck.length > 0).toBe(ball.hit != null);
      expect([...way.delivery, ...way.struck].flat().every(Number.isFinite)).toBe(true);
    }
  });

  it('carries a six over the rope, a four to it, and keeps the rest inside', () => {
    const struck = ways.filter(({ way }) => way.struck.length);
    expect(struck.length).toBeGreaterThan(30);
    for (const { ball, way } of struck) {
      const reach = fromMiddle(at(way.end));
      if (boundary(ball) === 'six') expect(reach).toBeGreaterThan(ROPE);
      else if (boundary(ball) === 'four') expect(reach).toBeCloseTo(ROPE, 6);
      else expect(reach).toBeLessThan(ROPE);
    }
  });

  it('hits the stumps where the batter is bowled', () => {
    for (const { way } of ways.filter(({ ball }) => wicketOf(ball)?.kind === 'bowled'))
      expect(at(way.end)).toEqual({ leg: 0, up: 0 });
  });

  it('is flown in one piece: the parts follow each other, the line as long as the ball has gone', () => {
    const project = ([leg, up, height]: Spot): Point => [leg * 3, up * 3 - height];
    for (const { way } of ways) {
      const all = motions(way, project, project);
      const ball = all.filter(({ of }) => of === '.ball');
      expect(ball).toHaveLength(way.struck.length ? 2 : 1);
      expect(Number(ball.at(-1)?.timing.delay) + Number(ball.at(-1)?.timing.duration)).toBeCloseTo(landsAfter(way), 6);
      for (const { of, frames } of all.filter(({ of: name }) => name === '.struck' || name === '.delivery')) {
        const offsets = frames.map((frame) => Number(frame['strokeDashoffset']));
        expect([offsets[0], offsets.at(-1)], of).toEqual([1, expect.closeTo(0, 9)]);
        expect(offsets).toEqual([...offsets].sort((a, b) => b - a));
      }
    }
  });
});
