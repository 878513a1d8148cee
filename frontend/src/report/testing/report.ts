/** A made-up report with every kind of section, for tests. */

import type {
  AddedPoints,
  ChangedRows,
  Chart,
  Mark,
  Point,
  ReportUpdated,
  Section,
  Table,
  Value,
} from '../../types.gen';
import type { Report } from '../../types.gen';

export const value = (of: Value['value'], more: Partial<Value> = {}): Value => ({
  value: of,
  level: 0.95,
  dots: [],
  note: '',
  tone: '',
  strong: false,
  ...more,
});

export const point = (x: number, y: number, more: Partial<Point> = {}): Point => ({ x, y, label: '', ...more });

export const mark = (id: string, kind: Mark['kind'], points: Point[], more: Partial<Mark> = {}): Mark => ({
  id,
  kind,
  name: id,
  owner: '',
  tone: '',
  strong: false,
  points,
  ...more,
});

export const chart = (marks: Mark[], more: Partial<Chart> = {}): Chart => ({
  kind: 'chart',
  x: { title: 'Step', unit: '', log: false },
  y: { title: '', unit: '', log: false },
  marks,
  figures: [],
  describe: 'It grows.',
  size: 'large',
  ...more,
});

export const section = (id: string, body: Section['body'], more: Partial<Section> = {}): Section => ({
  id,
  title: id,
  note: '',
  tab: '',
  width: 'full',
  body,
  ...more,
});

const column = { shape: 'text', unit: '', help: '', drop: 0 } as const;

/** Scores of three players; the second has too few matches for an interval, the third none. */
export const scores: Table = {
  kind: 'table',
  columns: [
    { ...column, id: 'rank', title: 'Rank', drop: 1 },
    { ...column, id: 'player', title: 'Player' },
    { ...column, id: 'score', title: 'Score', shape: 'whisker', low: 0, high: 1 },
    { ...column, id: 'cost', title: 'Cost', shape: 'number', unit: 'dollars', drop: 2 },
  ],
  rows: [
    ['heron', 0.854, 0.73, 0.927, 0.9],
    ['kite', 0.5, null, null, 12],
    ['dumb', null, null, null, null],
  ].map(([name, mean, low, high, cost], place) => ({
    id: String(name),
    owner: String(name),
    tone: '',
    cells: [
      value(String(place + 1)),
      value(name ?? null),
      value(mean ?? null, {
        low: typeof low === 'number' ? low : null,
        high: typeof high === 'number' ? high : null,
        note: low === null && mean !== null ? 'n too small for an interval' : '',
        behind: {
          title: `Matches of ${name}`,
          note: '',
          table: 'matches',
          rows: '0,2',
          first: 0,
          last: 0,
          players: [],
          stage: '',
        },
      }),
      value(cost ?? null),
    ],
  })),
  sort: '',
  shown: 0,
};

export const matches: Table = {
  kind: 'table',
  columns: [{ ...column, id: 'match', title: 'Match' }],
  rows: [0, 1, 2].map((number) => ({
    id: String(number),
    owner: '',
    tone: '',
    cells: [value(`Match ${number}`, { link: { text: '', episode_id: `cup-${number}`, page: '' } })],
  })),
  sort: '',
  shown: 2,
};

export const report: Report = {
  headline: 'Undecided',
  summary: 'heron leads.',
  tone: '',
  progress: { done: 24, total: 30, unit: 'matches', failed: 1, seconds: 720 },
  owners: ['heron', 'kite', 'dumb'],
  sections: [
    section('state', {
      kind: 'figures',
      figures: [
        { label: 'Gain', unit: 'signed', help: '', value: value(0.076, { low: 0.055, high: 0.097, n: 70 }) },
        { label: 'Played', unit: 'count', help: '', value: value(24), of: 30 },
      ],
    }),
    section('scores', scores, { title: 'Standings', tab: 'Standings' }),
    section(
      'pairs',
      {
        ...scores,
        columns: [
          { ...column, id: '', title: '' },
          { ...column, id: 'heron', title: 'heron', shape: 'heat', unit: 'share', middle: 0.5 },
        ],
        rows: [
          { id: 'heron', owner: 'heron', tone: '', cells: [value('heron'), value(null)] },
          { id: 'kite', owner: 'kite', tone: '', cells: [value('kite'), value(0.25, { low: 0.1, high: 0.4 })] },
          { id: 'dumb', owner: 'dumb', tone: '', cells: [value('dumb'), value(null, { note: '3 situations' })] },
        ],
      },
      { title: 'Head to head', tab: 'Standings' },
    ),
    section(
      'curves',
      chart([
        mark('heron', 'line', [point(1, 1), point(2, 3)], { owner: 'heron', strong: true }),
        mark('spread', 'band', [point(1, 1, { low: 0, high: 2 }), point(2, 3, { low: 2, high: 4 })], { name: '' }),
        mark('evaluations', 'dots', [point(2, 2, { low: 1, high: 3 })]),
        mark('times', 'bars', [point(1, 1, { label: 'play' }), point(2, 2, { label: 'learn' })]),
        mark('goal', 'rule', [point(0, 2.5)]),
      ]),
      { title: 'Curves', tab: 'Standings' },
    ),
    section(
      'claim',
      chart(
        [
          mark('holds', 'band', [point(0.1, 0, { low: 0.05, high: 0.2 })], { tone: 'good', name: '' }),
          mark('least effect', 'rule', [point(0.05, 0)]),
          mark('difference', 'dots', [point(0.12, 0, { low: 0.1, high: 0.14 })], { tone: 'good', strong: true }),
        ],
        { y: null, x: { title: '', unit: 'signed', log: false } },
      ),
      { title: 'The claim', tab: 'Standings' },
    ),
    section('notes', {
      kind: 'notes',
      notes: [{ title: 'Separated', text: 'heron is ahead of dumb.', tone: 'good', link: null }],
    }),
    section('matches', matches, { title: 'Matches', tab: 'All matches' }),
  ],
};

/** Return the event with a report whose sections are those that changed. */
export const updated = (
  sections: Section[],
  order = sections.map(({ id }) => id),
  { added = [], rows = [] }: { added?: AddedPoints[]; rows?: ChangedRows[] } = {},
): ReportUpdated => ({ report: { ...report, sections }, order, added, rows, text: '', mark: false });
