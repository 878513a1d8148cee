/** The rows of a table: which ones a value rests on, their order, and the columns that fit. */

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
