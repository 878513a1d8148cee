import { describe, expect, it } from 'vitest';

import { distance } from '../story/curves';
import { PROVINCES } from './drawing';
import { anchorsFor, provinceToward, radius } from './places';

describe('anchors', () => {
  it('put a beaten unit clear of the one that took its place', () => {
    const anchors = anchorsFor(14);
    for (const code of PROVINCES.keys()) {
      expect(distance(anchors.unit(code), anchors.dislodged(code))).toBeGreaterThan(14 * 1.5);
    }
  });

  it('tell the coasts apart', () => {
    const anchors = anchorsFor(14);
    expect(anchors.unit('STP/NC')).not.toEqual(anchors.unit('STP/SC'));
    expect(anchors.unit('BUL/EC')).not.toEqual(anchors.unit('BUL/SC'));
  });
});

it('sizes units to be seen on a phone, to grow on a desk, and to grow less than the map', () => {
  const pixels = (scale: number): number => radius(scale) * scale;
  expect(pixels(0.31)).toBeGreaterThan(6);
  expect(pixels(1)).toBeGreaterThan(pixels(0.31));
  expect(pixels(3)).toBeLessThan(pixels(1) * 2);
});

describe('the keyboard', () => {
  it('goes to the neighbour that lies that way', () => {
    expect(['BOH', 'TYR']).toContain(provinceToward('MUN', 'ArrowRight'));
    expect(['KIE', 'RUH', 'BER']).toContain(provinceToward('MUN', 'ArrowUp'));
    expect(provinceToward('POR', 'ArrowRight')).toBe('SPA');
    expect(provinceToward('FIN', 'ArrowLeft')).toBe('BOT');
  });

  it('reaches every province from every other', () => {
    const ways = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] as const;
    const reached = new Set(['MUN']);
    for (const code of reached) for (const way of ways) reached.add(provinceToward(code, way));
    expect(reached.size).toBe(PROVINCES.size);
  });

  it('stays at the edge of the map', () => {
    const [west] = [...PROVINCES.values()].sort((a, b) => a.unit[0] - b.unit[0]);
    expect(provinceToward(west?.code ?? '', 'ArrowLeft')).toBe(west?.code);
  });
});
