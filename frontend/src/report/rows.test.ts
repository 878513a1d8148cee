import { expect, test } from 'vitest';

import { axisOf, chosen, farthestOf, fitting, headOf, orderBy, placesOf, sorted } from './rows';
import { report, scores, value } from './testing/report';

const column = (id: string) => {
  const found = scores.columns.find((each) => each.id === id);
  if (!found) throw new Error(`no column ${id}`);
  return found;
};
const names = (id: string, down: boolean): string[] => sorted(scores, { column: id, down }).map((row) => row.id);

test('a text names rows by their places', () => {
  expect(placesOf('0-2,5', 9)).toEqual([0, 1, 2, 5]);
  expect(placesOf('7,1,1', 9)).toEqual([1, 7]);
  expect(placesOf('3-99', 5)).toEqual([3, 4]);
  expect(placesOf('', 5)).toEqual([]);
  expect(placesOf('x', 5)).toEqual([]);
});

test('numbers and words are sorted, and what is not known comes last', () => {
  expect(names('score', true)).toEqual(['heron', 'kite', 'dumb']);
  expect(names('score', false)).toEqual(['kite', 'heron', 'dumb']);
  expect(names('cost', true)).toEqual(['kite', 'heron', 'dumb']);
  expect(names('player', false)).toEqual(['dumb', 'heron', 'kite']);
  expect(names('', true)).toEqual(['heron', 'kite', 'dumb']);
});

test('words with numbers are in the order of these', () => {
  const rows = ['Match 10', 'Match 9'].map((text) => ({
    id: text,
    owner: '',
    tone: '' as const,
    cells: [value(text)],
  }));
  const table = { columns: [column('player')], rows };
  expect(sorted(table, { column: 'player', down: false }).map(({ id }) => id)).toEqual(['Match 9', 'Match 10']);
});

test('a head is chosen for one order, then for the other, then for that of the report', () => {
  const first = chosen({ column: '', down: false }, column('score'));
  expect(first).toEqual({ column: 'score', down: true });
  expect(chosen(first, column('score'))).toEqual({ column: 'score', down: false });
  expect(chosen({ column: 'score', down: false }, column('score'))).toEqual({ column: '', down: false });
  expect(orderBy(column('player'))).toEqual({ column: 'player', down: false });
});

test('a narrow screen leaves out the columns that may be dropped, the greatest first', () => {
  const shown = (width: number): string[] => fitting(scores.columns, width).map(({ id }) => id);
  expect(shown(900)).toEqual(['rank', 'player', 'score', 'cost']);
  expect(shown(400)).toEqual(['rank', 'player', 'score']);
  expect(shown(300)).toEqual(['player', 'score']);
  expect(shown(100)).toEqual(['player', 'score']);
  expect(shown(0)).toHaveLength(4);
});

test('an axis has all values of its column, and the ends that it is given', () => {
  expect(axisOf(scores, 2)?.ticks).toEqual([0, 0.5, 1]);
  expect(axisOf(scores, 3)).toBeNull();
});

test('the rows are named by the column of their owners', () => {
  expect(headOf(scores)).toBe(1);
  expect(headOf({ ...scores, rows: scores.rows.map((row) => ({ ...row, owner: '' })) })).toBe(0);
});

test('all cells of a matrix have one scale', () => {
  const body = report.sections.find(({ id }) => id === 'pairs')?.body;
  expect(body?.kind === 'table' && farthestOf(body)).toBe(0.25);
});

test('an axis ends at the values and bounds of its column, with round ticks between them', () => {
  const table = (shape: 'whisker' | 'bar', low?: number) => ({
    kind: 'table' as const,
    columns: [{ ...column('score'), shape, low: low ?? null, high: null }],
    rows: [478, 2017].map((number) => ({ id: String(number), cells: [value(number)], owner: '', tone: '' as const })),
    sort: '',
    shown: 0,
  });
  const axis = axisOf(table('whisker'), 0);
  expect(axis?.ticks).toEqual([500, 1000, 1500, 2000]);
  expect([axis?.scale(478), axis?.scale(2017)]).toEqual([4, 96]);
  expect(axisOf(table('whisker', 0), 0)?.scale(0)).toBe(4);
  expect(axisOf(table('bar'), 0)).toMatchObject({ high: 2017, ticks: [0, 1000, 2000] });
});

test('an axis of one value shows it between two round ticks', () => {
  const rows = [{ id: 'one', cells: [value(5)], owner: '', tone: '' as const }];
  const columns = [{ ...column('score'), shape: 'whisker' as const, low: null, high: null }];
  const axis = axisOf({ kind: 'table', columns, rows, sort: '', shown: 0 }, 0);
  expect(axis?.scale(5)).toBeGreaterThan(4);
  expect(axis?.scale(5)).toBeLessThan(96);
  expect(axis?.ticks).toEqual([2, 4, 6, 8]);
});
