/**
 * The report of a campaign up to a moment, as a pure fold of `ReportUpdated`: the same as `after` in
 * `grandstand/report.py`.
 */

import type { Mark, Point, Report, ReportUpdated, Row, Section } from '../types.gen';

/**
 * The points of a mark. The array only grows at its end: the states of a campaign share it, each with its own `count`,
 * so that any state takes little memory.
 */
interface Series {
  readonly points: Point[];
  readonly count: number;
}

export interface ReportState {
  /** The report without the points of its marks; null before the first one. */
  readonly bare: Report | null;
  /** The points of the marks, by `keyOf`. */
  readonly series: ReadonlyMap<string, Series>;
}

export const NO_REPORT: ReportState = { bare: null, series: new Map() };

const keyOf = (section: string, mark: string): string => `${section}\n${mark}`;

/** Return the state after an event. */
export function step(state: ReportState, { report, order, added, rows }: ReportUpdated): ReportState {
  const sections = new Map((state.bare?.sections ?? []).map((section) => [section.id, section]));
  const series = new Map(state.series);
  for (const section of report.sections) {
    sections.set(section.id, bared(section));
    for (const mark of marksOf(section))
      series.set(keyOf(section.id, mark.id), { points: [...mark.points], count: mark.points.length });
  }
  for (const { section, mark, points } of added) {
    const key = keyOf(section, mark);
    series.set(key, extended(series.get(key) ?? { points: [], count: 0 }, points));
  }
  for (const { section, rows: changed } of rows) {
    const old = sections.get(section);
    if (old) sections.set(section, withRows(old, changed));
  }
  return { bare: { ...report, sections: order.flatMap((id) => sections.get(id) ?? []) }, series };
}

const REPORTS = new WeakMap<ReportState, Report>();

/** Return the whole report of a state; null if there is none yet. */
export function reportOf(state: ReportState): Report | null {
  if (!state.bare) return null;
  const known = REPORTS.get(state);
  if (known) return known;
  const points = (section: string, { id }: Mark): Point[] => {
    const own = state.series.get(keyOf(section, id));
    return own ? own.points.slice(0, own.count) : [];
  };
  const sections = state.bare.sections.map((section) =>
    withMarks(section, (mark) => ({ ...mark, points: points(section.id, mark) })),
  );
  const report = { ...state.bare, sections };
  REPORTS.set(state, report);
  return report;
}

function extended({ points, count }: Series, more: readonly Point[]): Series {
  // Another state may have added other points to the shared array.
  const own = points.length === count ? points : points.slice(0, count);
  own.push(...more);
  return { points: own, count: own.length };
}

function withRows(section: Section, changed: readonly Row[]): Section {
  const { body } = section;
  if (body.kind !== 'table') return section;
  const rows = new Map([...body.rows, ...changed].map((row) => [row.id, row]));
  return { ...section, body: { ...body, rows: [...rows.values()] } };
}

const marksOf = ({ body }: Section): readonly Mark[] => (body.kind === 'chart' ? body.marks : []);

const bared = (section: Section): Section => withMarks(section, (mark) => ({ ...mark, points: [] }));

function withMarks(section: Section, of: (mark: Mark) => Mark): Section {
  const { body } = section;
  return body.kind === 'chart' ? { ...section, body: { ...body, marks: body.marks.map(of) } } : section;
}
