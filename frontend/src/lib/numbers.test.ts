import { expect, test } from 'vitest';

import { chance, duration, percent, short, signed } from './numbers';

test.each([
  [0, '0'],
  [0.04642, '0.0464'],
  [-1.5, '−1.5'],
  [123.4, '123'],
  [1730, '1,730'],
  [-129633, '−129,633'],
  [3.14e-6, '3.1e−6'],
  [-1e-4, '−1e−4'],
  [2.5e7, '2.5e7'],
  [Infinity, '∞'],
])('%d is written %s', (value, text) => expect(short(value)).toBe(text));

test('a sign is there, but not on nothing', () => {
  expect([0.0464, -0.0464, 0.0001, -0.0001].map((value) => signed(value))).toEqual([
    '+0.046',
    '−0.046',
    '0.000',
    '0.000',
  ]);
});

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.126, '13 %'],
  [-0.08, '−8 %'],
  [1, '100 %'],
])('%d of one is %s', (value, text) => expect(percent(value)).toBe(text));

test.each([
  [0.42, '0.42 s'],
  [5.24, '5.2 s'],
  [41, '41 s'],
  [180, '3 min'],
  [4800, '80 min'],
  [7200, '2 h'],
  [8000, '2 h 13 min'],
])('%d seconds are %s', (value, text) => expect(duration(value)).toBe(text));

test.each([
  [0, '0\u00a0%'],
  [0.004, '<1\u00a0%'],
  [0.254, '25\u00a0%'],
  [0.997, '>99\u00a0%'],
  [1, '100\u00a0%'],
])('the chance %d is written %s', (value, text) => expect(chance(value)).toBe(text));
