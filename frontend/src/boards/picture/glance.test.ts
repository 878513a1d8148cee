import { expect, it } from 'vitest';

import type { Glance } from '../../types.gen';
import { glanced } from './glance';

const GROUND = [
  { id: 'PAR', x: 1, y: 2, outline: 'M0 0h9v9z' },
  { id: 'BUR', x: 3, y: 4 },
];
const GLANCE: Glance = {
  picture: { things: [{ id: 'A PAR', kind: 'piece', at: 'PAR' }], describe: 'Spring.', width: 50, bleeds: true },
  owners: { PAR: 'FRANCE' },
  rows: [],
  facts: [],
};

it('puts the owners on the ground, and the rest over it', () => {
  const picture = glanced({ ...GLANCE, picture: { ...GLANCE.picture, places: [{ id: 'x', x: 0, y: 0 }] } }, GROUND);
  expect(picture?.places).toEqual([{ ...GROUND[0], owner: 'FRANCE' }, GROUND[1], { id: 'x', x: 0, y: 0 }]);
  expect(picture).toMatchObject({ width: 50, bleeds: true, things: [{ at: 'PAR' }] });
});

it('is nothing where the game draws nothing', () => {
  expect(glanced({ ...GLANCE, picture: null }, GROUND)).toBeNull();
});
