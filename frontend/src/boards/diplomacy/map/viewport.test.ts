import fc from 'fast-check';
import { expect, test } from 'vitest';

import { LARGEST, pan, pinch, reveal, WHOLE, zoom, type View } from './viewport';

const SIZE = { width: 400, height: 300 };
const x = fc.integer({ min: 0, max: 400 });
const y = fc.integer({ min: 0, max: 300 });

function filled({ scale, x: left, y: top }: View): boolean {
  const whole = (shift: number, room: number): boolean => shift <= 1e-9 && shift + room * scale >= room - 1e-9;
  return scale >= 1 && scale <= LARGEST && whole(left, SIZE.width) && whole(top, SIZE.height);
}

test('no gesture uncovers what is beyond the map', () => {
  const finger = fc.record({ x, y });
  const gesture = fc.oneof(
    fc.tuple(fc.double({ min: 0.2, max: 5, noNaN: true }), x, y).map(
      ([by, cx, cy]) =>
        (view: View) =>
          zoom(view, by, cx, cy, SIZE),
    ),
    fc.tuple(x, y).map(
      ([dx, dy]) =>
        (view: View) =>
          pan(view, dx - 200, dy - 150, SIZE),
    ),
    fc.tuple(finger, finger, finger, finger).map(
      ([a, b, c, d]) =>
        (view: View) =>
          pinch(view, [a, b], [c, d], SIZE),
    ),
  );
  fc.assert(
    fc.property(fc.array(gesture, { maxLength: 12 }), (gestures) => {
      expect(filled(gestures.reduce((view, act) => act(view), WHOLE))).toBe(true);
    }),
  );
});

test('what is under the pointer stays there when it zooms in', () => {
  fc.assert(
    fc.property(x, y, fc.double({ min: 1, max: 3, noNaN: true }), (cx, cy, by) => {
      const view = zoom(WHOLE, by, cx, cy, SIZE);
      expect(view.x + cx * view.scale).toBeCloseTo(cx);
      expect(view.y + cy * view.scale).toBeCloseTo(cy);
    }),
  );
});

test('two fingers spread to twice their distance make the map twice as large around them', () => {
  const view = pinch(
    WHOLE,
    [
      { x: 150, y: 100 },
      { x: 250, y: 100 },
    ],
    [
      { x: 100, y: 100 },
      { x: 300, y: 100 },
    ],
    SIZE,
  );
  expect(view).toEqual({ scale: 2, x: -200, y: -100 });
});

test('zooming out all the way is the whole map again', () => {
  expect(zoom(zoom(WHOLE, 4, 10, 20, SIZE), 0.01, 300, 200, SIZE)).toEqual({ scale: 1, x: 0, y: 0 });
});

test('a point is brought into sight, and a point in sight moves nothing', () => {
  fc.assert(
    fc.property(x, y, fc.double({ min: 1, max: 5, noNaN: true }), (px, py, by) => {
      const view = reveal(zoom(WHOLE, by, 0, 0, SIZE), { x: px, y: py }, SIZE);
      const [shownX, shownY] = [view.x + px * view.scale, view.y + py * view.scale];
      expect(filled(view)).toBe(true);
      expect(shownX > -1e-6 && shownX < SIZE.width + 1e-6 && shownY > -1e-6 && shownY < SIZE.height + 1e-6).toBe(true);
      expect(reveal(view, { x: px, y: py }, SIZE).x).toBeCloseTo(view.x);
    }),
  );
});
