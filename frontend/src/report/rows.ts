/** The rows of a table: which ones a value rests on, their order, and the columns that fit. */

import { linear, ticks, type Scale } from '../lib/chart/scale';
import type { Column, Row, Table, Value } from '../types.gen';

/** Return the places of rows that a text names, such as `0-11,14`, in order; those that a table of `count` has. */
export function placesOf(text: string, count: number): number[] {
  const places = new Set<number>();
  for (const part of text.split(',').filter((piece) => piece.trim())) {
    const [first = NaN, last = first] = part.split('-').map(Number);
    for (let place = first; place <= Math.min(last, count - 1); place++) places.add(place);
  }
  return [...places].sort((a, b) => a - b);
}

export interface Order {
  /** The id of a column; '' for the order that the report gives. */
  readonly column: string;
  readonly down: boolean;
}

const numeric = ({ shape }: Column): boolean => shape !== 'text';

/** Return the order in which a column is read first: the largest number, or the first word. */
export const orderBy = (column: Column): Order => ({ column: column.id, down: numeric(column) });

/** Return the order after the head of `column` was chosen. */
export function chosen(order: Order, column: Column): Order {
  const first = orderBy(column);
  if (order.column !== column.id) return first;
  return order.down === first.down ? { ...first, down: !first.down } : { column: '', down: false };
}

/** Return the rows in an order; those without a value come last, and equal ones stay as they are. */
export function sorted({ columns, rows }: Pick<Table, 'columns' | 'rows'>, { column, down }: Order): readonly Row[] {
  const place = columns.findIndex(({ id }) => id === column);
  if (place < 0) return rows;
  const value = (row: Row): Value['value'] => row.cells[place]?.value ?? null;
  return [...rows].sort((a, b) => compare(value(a), value(b), down));
}

function compare(a: Value['value'], b: Value['value'], down: boolean): number {
  if (a == null || b == null) return Number(a == null) - Number(b == null);
  const by = typeof a === 'number' && typeof b === 'number' ? a - b : WORDS.compare(String(a), String(b));
  return down ? -by : by;
}

const WORDS = new Intl.Collator('en', { numeric: true });

/** The least width of a column by its shape, in pixels. */
const WIDTHS: Record<Column['shape'], number> = { text: 104, number: 84, whisker: 170, bar: 110, heat: 58 };

/** Return the columns that fit into `width` pixels: those to be dropped go first, the greatest of them at once. */
export function fitting(columns: readonly Column[], width: number): readonly Column[] {
  let shown = columns;
  const needed = (): number => shown.reduce((sum, { shape }) => sum + WIDTHS[shape], 0);
  while (width > 0 && needed() > width) {
    const most = Math.max(...shown.map(({ drop }) => drop));
    if (most <= 0) break;
    shown = shown.filter(({ drop }) => drop < most);
  }
  return shown;
}

const numberOf = (cell: Value | undefined): number | null => (typeof cell?.value === 'number' ? cell.value : null);

const cellsOf = ({ rows }: Table, place: number): Value[] => rows.flatMap(({ cells }) => cells[place] ?? []);

/** The axis that the whiskers or the bars of a column share. */
export interface Axis {
  /** From a value to per cent of the width. */
  readonly scale: Scale;
  readonly ticks: readonly number[];
  /** The greatest value. */
  readonly high: number;
}

/** Per cent of the width left free at each end, for the dots. */
const EDGE = 4;
const TICKS = 4;

/** Return the axis over all values and intervals of a column; null if it has none. */
export function axisOf(table: Table, place: number): Axis | null {
  const column = table.columns[place];
  if (column?.shape !== 'whisker' && column?.shape !== 'bar') return null;
  const cells = cellsOf(table, place).flatMap((cell) => [numberOf(cell), cell.low, cell.high, ...cell.dots]);
  const values = cells.filter((value) => value != null);
  if (!values.length) return null;
  const bounds = [column.low, column.high, column.shape === 'bar' ? 0 : null].filter((value) => value != null);
  const [least, most] = [Math.min(...values, ...bounds), Math.max(...values, ...bounds)];
  const all = ticks(least, most, TICKS);
  const [low, high] = least < most ? [least, most] : [all[0] ?? 0, all.at(-1) ?? 1];
  const inside = all.filter((tick) => tick >= low && tick <= high);
  return { scale: linear([low, high], [EDGE, 100 - EDGE]), ticks: inside, high };
}

/** Return the greatest distance of a cell of a matrix from the middle of its column: all cells have one scale. */
export function farthestOf(table: Table): number {
  const distances = table.columns.flatMap(({ shape, low, high, middle }, place) =>
    shape === 'heat'
      ? [...cellsOf(table, place).map(numberOf), low, high].map((value) =>
          Math.abs((value ?? middle ?? 0) - (middle ?? 0)),
        )
      : [],
  );
  return Math.max(0, ...distances);
}

/** Return the place of the column that names the rows: that of their owners, or the first one. */
export function headOf({ columns, rows }: Table): number {
  const named = columns.findIndex((_, place) =>
    rows.every(({ cells, owner }) => owner && cells[place]?.value === owner),
  );
  return rows.length ? Math.max(0, named) : 0;
}
