import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ReportUpdated } from '../types.gen';
import { NO_REPORT, reportOf, step, type ReportState } from './state';
import { chart, mark, matches, point, report, section, updated, value } from './testing/report';

const line = (count: number) => [
  mark(
    'reward',
    'line',
    Array.from({ length: count }, (_, n) => point(n, n * n)),
  ),
];
const added = (first: number, count: number) => [
  {
    section: 'reward',
    mark: 'reward',
    points: Array.from({ length: count }, (_, n) => point(first + n, (first + n) ** 2)),
  },
];
const fold = (...events: ReportUpdated[]): ReportState => events.reduce(step, NO_REPORT);
const points = (state: ReportState): number[] => {
  const body = reportOf(state)?.sections.find(({ id }) => id === 'reward')?.body;
  return body?.kind === 'chart' ? (body.marks[0]?.points.map(({ x }) => x) ?? []) : [];
};

test('there is no report before the first event', () => {
  expect(reportOf(NO_REPORT)).toBeNull();
  expect(reportOf(fold(updated(report.sections)))).toEqual(report);
});

test('sections that are not repeated stay, at the places of the order; others are gone', () => {
  const state = fold(updated(report.sections), updated([section('new', matches)], ['matches', 'new', 'state']));
  const shown = reportOf(state)?.sections ?? [];
  expect(shown.map(({ id }) => id)).toEqual(['matches', 'new', 'state']);
  expect(shown[0]).toEqual(report.sections.at(-1));
});

test('points are added at the end of a mark, and an earlier state keeps its own', () => {
  const first = fold(updated([section('reward', chart(line(2)))]));
  const second = step(first, updated([], ['reward'], { added: added(2, 2) }));
  const other = step(first, updated([], ['reward'], { added: added(7, 1) }));
  const third = step(second, updated([], ['reward'], { added: added(4, 1) }));
  expect([first, second, other, third].map(points)).toEqual([
    [0, 1],
    [0, 1, 2, 3],
    [0, 1, 7],
    [0, 1, 2, 3, 4],
  ]);
});

test('a chart that is repeated begins anew', () => {
  const state = fold(
    updated([section('reward', chart(line(5)))]),
    updated([section('reward', chart(line(1)))]),
    updated([], ['reward'], { added: added(1, 1) }),
  );
  expect(points(state)).toEqual([0, 1]);
});

test('the data of an event is never changed', () => {
  const event = updated([section('reward', chart(line(2)))]);
  const copy = structuredClone(event);
  fold(event, updated([], ['reward'], { added: added(2, 3) }));
  expect(event).toEqual(copy);
});

test('a row replaces that of its id, or is added', () => {
  const cells = [value('changed')];
  const rows = ['1', '9'].map((id) => ({ id, owner: '', tone: '' as const, cells }));
  const state = fold(
    updated([section('matches', matches)]),
    updated([], ['matches'], { rows: [{ section: 'matches', rows }] }),
  );
  const body = reportOf(state)?.sections[0]?.body;
  expect(body?.kind === 'table' && body.rows.map(({ id, cells: [cell] }) => [id, cell?.value])).toEqual([
    ['0', 'Match 0'],
    ['1', 'changed'],
    ['2', 'Match 2'],
    ['9', 'changed'],
  ]);
});

test('every state of a growing chart has the points that had come', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 20 }), (counts) => {
      const states = [fold(updated([section('reward', chart(line(0)))]))];
      let length = 0;
      for (const count of counts) {
        states.push(step(states.at(-1) ?? NO_REPORT, updated([], ['reward'], { added: added(length, count) })));
        length += count;
      }
      let sum = 0;
      states.forEach((state, n) => {
        sum += n ? (counts[n - 1] ?? 0) : 0;
        expect(points(state)).toEqual(Array.from({ length: sum }, (_, x) => x));
      });
    }),
  );
});
