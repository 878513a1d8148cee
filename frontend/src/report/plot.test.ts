import { expect, test } from 'vitest';

import { hue } from '../lib/chart/hue';
import { coloursOf, labelled, near, placesAlong, plotOf, pointAt, pointText } from './plot';
import { chart, mark, point } from './testing/report';

const EDGE = { left: 50, right: 10, top: 10, bottom: 20 };
const line = mark('line', 'line', [point(1, 1), point(5, 3), point(9, 2)]);
const texts = (ticks: readonly { text: string }[]): string[] => ticks.map(({ text }) => text);

test('the axes contain all values, intervals and rules', () => {
  const { x, y, up, across } = plotOf(
    chart([line, mark('goal', 'rule', [point(0, 4)]), mark('band', 'band', [point(1, 9, { low: -1, high: 2 })])]),
    460,
    250,
    EDGE,
  );
  expect([x(1), x(9)]).toEqual([50, 450]);
  expect(texts(up)).toEqual(['−1', '0', '1', '2', '3', '4']);
  expect([y(4), y(-1)]).toEqual([10, 230]);
  expect(texts(across)).toEqual(['2', '4', '6', '8']);
});

test('bars stand on 0, between margins, and their labels take the place of numbers', () => {
  const bars = mark('time', 'bars', [point(0, 41, { label: 'play' }), point(1, 22, { label: 'learn' })]);
  const { x, y, up, across } = plotOf(chart([bars], { y: { title: '', unit: 'seconds', log: false } }), 460, 130, EDGE);
  expect(up[0]?.text).toBe('0 s');
  expect(y(0)).toBe(110);
  expect([x(0), x(1)]).toEqual([150, 350]);
  expect(texts(across)).toEqual(['play', 'learn']);
});

test('powers of ten have even distances, and 0 lies on the least', () => {
  const wild = chart([mark('kl', 'line', [point(1, 0), point(2, 0.4), point(3, 71)])], {
    y: { title: '', unit: '', log: true },
  });
  const { y, up } = plotOf(wild, 460, 250, EDGE);
  expect(texts(up)).toEqual(['0.1', '1', '10', '100']);
  expect(y(1) - y(10)).toBeCloseTo(y(10) - y(100));
  expect(y(0)).toBe(230);
});

test('without a y axis, intervals lie along x', () => {
  const { x, up } = plotOf(chart([mark('d', 'dots', [point(1, 0, { low: 0, high: 2 })])], { y: null }), 120, 80, {
    ...EDGE,
    left: 10,
  });
  expect(up).toEqual([]);
  expect(x(0)).toBeGreaterThan(10);
  expect(x(2)).toBeLessThan(110);
});

test('a chart without points has axes', () => {
  expect(plotOf(chart([]), 460, 130, EDGE).up.length).toBeGreaterThan(1);
});

test('the places along x are those of all marks but rules, in order', () => {
  const places = placesAlong([line, mark('goal', 'rule', [point(77, 4)]), mark('other', 'dots', [point(6, 0)])]);
  expect(places).toEqual([1, 5, 6, 9]);
});

test('a line has its last value, dots only their own', () => {
  expect(pointAt(line, 8)?.y).toBe(3);
  expect(pointAt(line, 0)).toBeUndefined();
  expect(pointAt({ ...line, kind: 'dots' }, 8)).toBeUndefined();
  expect(pointAt({ ...line, kind: 'dots' }, 5)?.y).toBe(3);
});

test('a point is near within some pixels', () => {
  const plot = plotOf(chart([line]), 460, 130, EDGE);
  const at = [plot.x(5), plot.y(3)] as const;
  expect(near([line], plot, [at[0] + 5, at[1] + 5])?.point).toBe(line.points[1]);
  expect(near([line], plot, [at[0], at[1] + 60])).toBeNull();
  expect(near([{ ...line, kind: 'band' }], plot, at)).toBeNull();
});

test('marks have the colours of their owners, their tones, or their order', () => {
  const marks = [
    mark('a', 'line', [], { owner: 'kite' }),
    mark('b', 'line', [], { tone: 'good' }),
    mark('c', 'line', []),
    mark('d', 'line', []),
    mark('e', 'band', [], { name: '' }),
    mark('f', 'rule', []),
    mark('g', 'line', [], { owner: 'nobody' }),
  ];
  expect(coloursOf(marks, ['heron', 'kite'])).toEqual([
    hue(1),
    'var(--good)',
    hue(2),
    hue(3),
    'var(--accent)',
    'var(--gold)',
    'var(--ink-soft)',
  ]);
  expect(coloursOf(marks.slice(2, 4), [])).toEqual(['var(--accent)', hue(1)]);
});

test('where there are too many lines, the strong ones and those with an owner are named', () => {
  const marks = [
    mark('faint', 'line', [], { tone: 'faint' }),
    mark('plain', 'line', []),
    mark('owned', 'line', [], { owner: 'kite' }),
    mark('strong', 'line', [], { strong: true }),
  ];
  expect(labelled(marks, 2).map(({ id }) => id)).toEqual(['owned', 'strong']);
});

test('a point tells its value and its interval', () => {
  const axes = chart([], { y: { title: '', unit: 'elo', log: false } });
  expect(pointText(point(3, 1654, { low: 1601, high: 1708 }), axes)).toBe('1654 (1601 to 1708)');
  expect(pointText(point(0.12, 0), chart([], { y: null, x: { title: '', unit: 'signed', log: false } }))).toBe(
    '+0.120',
  );
});
