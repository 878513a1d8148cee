import { expect, it } from 'vitest';

import { anchorsFor } from '../map/places';
import { readText } from '../story/notation';
import { ordersOf, powerOf, VIEW_NAMES } from '../testing/views';
import { draftDrawings } from './drawn';

const anchors = anchorsFor(12);

it('draws every legal order by itself, and marks none as failed', () => {
  for (const name of VIEW_NAMES) {
    for (const order of ordersOf(name).map((text) => readText(powerOf(name), text))) {
      const drawn = draftDrawings([order], () => false, anchors, 12);
      expect(drawn.every(({ mark }) => mark === null || mark.kind === 'build')).toBe(true);
      expect(drawn.length).toBe(order.kind === 'disband' ? 0 : 1);
    }
  }
});

it('joins a support to the move that it is for', () => {
  const move = readText('FRANCE', 'A PAR - BUR');
  const support = readText('FRANCE', 'A MAR S A PAR - BUR');
  const [, line] = draftDrawings([move, support], () => false, anchors, 12);
  expect(line?.line).not.toBe('');
});

it('draws a move to the middle of an empty province, and short of a unit that stands in one', () => {
  const move = readText('FRANCE', 'A PAR - BUR');
  const [x, y] = anchors.unit('BUR');
  const tip = new RegExp(`L${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}L`);
  const shape = (occupied: boolean): string => draftDrawings([move], () => occupied, anchors, 12)[0]?.shape ?? '';
  expect(shape(false)).toMatch(tip);
  expect(shape(true)).not.toMatch(tip);
});
