import { expect, test } from 'vitest';

import { around, interval, progressText, spoken, tick, written, type Unit } from './format';
import { value } from './testing/report';

test.each<[number | string | null, Unit, string]>([
  [null, 'elo', '–'],
  ['1–3', 'elo', '1–3'],
  ['a\u202eb', '', 'a‹202E›b'],
  [0.854, '', '0.854'],
  [0.5, '', '0.500'],
  [12.34, '', '12.3'],
  [1730.4, '', '1,730'],
  [24, '', '24'],
  [-0.25, '', '−0.250'],
  [8.8e-5, '', '8.8e−5'],
  [0.854, 'share', '85 %'],
  [1780.6, 'elo', '1781'],
  [0.04, 'dollars', '$0.04'],
  [41, 'seconds', '41 s'],
  [12_000, 'count', '12,000'],
  [4_300_000, 'count', '4.3M'],
  [0.0894, 'signed', '+0.089'],
  [-0.0894, 'signed', '−0.089'],
  [0, 'signed', '0'],
  [68, 'signed elo', '+68'],
  [1_500_000, 'bytes', '1.5 MB'],
  [12, 'bytes', '12 bytes'],
])('%s in %s is %s', (number, unit, text) => {
  expect(written(number, unit)).toBe(text);
});

test('numbers on an axis are round, so that they have no more digits than they need', () => {
  expect([tick(0.5, ''), tick(0.1, 'signed'), tick(20, 'dollars'), tick(0.25, 'share'), tick(1500, 'elo')]).toEqual([
    '0.5',
    '0.1',
    '$20',
    '25 %',
    '1500',
  ]);
});

test('an even interval stands beside its value, any other has its bounds', () => {
  expect(around(value(0.076, { low: 0.055, high: 0.097 }), 'signed')).toBe('± 0.021');
  expect(around(value(68, { low: 30, high: 106 }), 'signed elo')).toBe('± 38');
  expect(around(value(0.854, { low: 0.73, high: 0.927 }), '')).toBe('0.730 to 0.927');
  expect(around(value(0.854), '')).toBe('');
  expect(interval(value(0.854, { low: 0.73 }), '')).toBe('');
});

test('who hears a value hears its interval, its sample and its note', () => {
  expect(spoken(value(0.854, { low: 0.73, high: 0.927, n: 48 }), '')).toBe(
    '0.854, 95 % interval 0.730 to 0.927, n = 48',
  );
  expect(spoken(value(0.5, { n: 2, note: 'n too small for an interval' }), '')).toBe(
    '0.500, n = 2, n too small for an interval',
  );
});

test('progress tells what is done, what failed and what is left', () => {
  const progress = { done: 24, total: 30, unit: 'matches', failed: 1, seconds: 720 };
  expect(progressText(progress)).toBe('24 of 30 matches, 1 failed, about 12 min left');
  expect(progressText({ ...progress, done: 30, failed: 0 })).toBe('30 of 30 matches');
  expect(progressText({ ...progress, total: 0, failed: 0, seconds: null })).toBe('24 matches');
});
