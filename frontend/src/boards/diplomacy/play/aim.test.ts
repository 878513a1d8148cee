import { expect, it } from 'vitest';

import { PROVINCES } from '../map/drawing';
import { anchorsFor, provinceToward } from '../map/places';
import { aim } from './aim';

const anchors = anchorsFor(12);
const lit = new Set(['BUR', 'PIC', 'GAS']);
const at = (province: string): readonly [number, number] => PROVINCES.get(province)?.unit ?? [0, 0];

it('means the province under the pointer where that is one of those in question', () => {
  expect(aim('PIC', at('BUR'), lit, anchors, 24)).toBe('PIC');
});

it('means the nearest one in question where the pointer is beside them', () => {
  const [x, y] = at('BUR');
  expect(aim('RUH', [x + 10, y], lit, anchors, 24)).toBe('BUR');
  expect(aim(null, [x - 20, y], lit, anchors, 24)).toBe('BUR');
});

it('means what is under the pointer where none in question is near', () => {
  expect(aim('MOS', at('MOS'), lit, anchors, 24)).toBe('MOS');
  expect(aim(null, at('MOS'), lit, anchors, 24)).toBeNull();
});

it('goes by arrow keys among those in question only, and reaches each of them', () => {
  const reached = new Set(['PAR']);
  for (const from of reached) {
    for (const way of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const) {
      reached.add(provinceToward(from, way, lit));
    }
  }
  expect([...reached].sort()).toEqual(['BUR', 'GAS', 'PAR', 'PIC']);
});
