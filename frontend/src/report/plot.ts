/** The places of a chart's marks: its scales and ticks, its colours, and what is near the pointer. */

import { hue } from '../lib/chart/hue';
import { decades, linear, stepTicks, ticks, type Scale } from '../lib/chart/scale';
import { countUpTo } from '../lib/search';
import type { Axis, Chart, Mark, Point } from '../types.gen';
import { tick, written, type Tone, type Unit } from './format';

export interface Tick {
  readonly value: number;
  readonly text: string;
}

export interface Plot {
  readonly x: Scale;
  readonly y: Scale;
  readonly across: readonly Tick[];
  readonly up: readonly Tick[];
}

export interface Edge {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Most labels of points that take the place of numbers on the x axis. */
const LABELS = 16;
/** Pixels that a number of the x axis needs, and one of the y axis. */
const ROOM = 64;
const HIGH = 34;
/** The least value on an axis of powers of ten. */
const LEAST = 1e-12;

const isNumber = (value: number | null | undefined): value is number => value != null && Number.isFinite(value);

/** Return the least and the greatest of `values` and of the axis; 0 to 1 for none. */
function reach(values: readonly (number | null | undefined)[], axis: Axis): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of [...values, axis.low, axis.high])
    if (isNumber(value)) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return least <= most ? [least, most] : [0, 1];
}

/** Return where a chart's values lie on a drawing of `width` by `height` pixels. */
export function plotOf(chart: Chart, width: number, height: number, edge: Edge): Plot {
  const room = Math.max(1, width - edge.left - edge.right);
  const strip = chart.y == null;
  const placed = chart.marks.filter(({ kind }) => strip || kind !== 'rule').flatMap(({ points }) => points);
  const [least, most] = reach(
    placed.flatMap((point) => (strip ? [point.x, point.low, point.high] : [point.x])),
    chart.x,
  );
  const bars = chart.marks.filter(({ kind }) => kind === 'bars');
  const beside = bars.length ? gapOf(bars) / 2 : most > least ? 0 : 0.5;
  const pad = strip ? 0.04 * (most - least) : beside;
  const x = linear([least - pad, most + pad], [edge.left, edge.left + room]);
  const across = labels(bars) ?? numbers([least, most], room, chart.x.unit);
  if (strip || !chart.y) return { x, y: () => height / 2, across, up: [] };
  return { x, across, ...upright(chart.marks, chart.y, [height - edge.bottom, edge.top]) };
}

/** Return the scale and the ticks of a y axis between two heights of the drawing. */
function upright(marks: readonly Mark[], axis: Axis, [bottom, top]: readonly [number, number]): Pick<Plot, 'y' | 'up'> {
  const values = marks.flatMap(heights);
  const count = Math.max(2, Math.floor((bottom - top) / HIGH));
  const positive = values.filter((value): value is number => isNumber(value) && value > 0);
  const [low, high] = reach(axis.log ? positive : values, axis);
  const steps = axis.log ? decades(Math.max(LEAST, low), Math.max(10 * LEAST, high), count) : ticks(low, high, count);
  const bend = axis.log ? (value: number) => Math.log10(Math.max(LEAST, value)) : (value: number) => value;
  const [first, last] = [bend(steps[0] ?? 0), bend(steps.at(-1) ?? 1)];
  const straight = linear([first, last], [bottom, top]);
  // Values below the least power of ten, such as 0, are drawn at it.
  const y = axis.log ? (value: number) => straight(Math.max(first, bend(value))) : straight;
  return { y, up: steps.map((value) => ({ value, text: tick(value, axis.unit) })) };
}

const heights = ({ kind, points }: Mark): (number | null | undefined)[] => [
  ...(kind === 'bars' ? [0] : []),
  ...points.flatMap(({ y, low, high }) => (kind === 'band' ? [low, high] : kind === 'dots' ? [y, low, high] : [y])),
];

/** Return the least distance between the bars of marks. */
export function gapOf(bars: readonly Mark[]): number {
  const xs = placesAlong(bars);
  return xs.reduce((least, x, n) => Math.min(least, n ? x - (xs[n - 1] ?? x) : Infinity), Infinity) || 1;
}

function labels(bars: readonly Mark[]): Tick[] | null {
  const points = bars[0]?.points ?? [];
  if (!points.length || points.length > LABELS || points.some(({ label }) => !label)) return null;
  return points.map(({ x, label }) => ({ value: x, text: written(label) }));
}

function numbers([least, most]: readonly [number, number], room: number, unit: Unit): Tick[] {
  const wanted = Math.max(2, Math.floor(room / ROOM));
  const whole = unit === '' || unit === 'count';
  const values =
    whole && most - least >= 2 && Number.isInteger(least) && Number.isInteger(most)
      ? stepTicks([least, most], room)
      : ticks(least, most, Math.min(6, wanted));
  const slack = 1e-9 * (most - least);
  return values
    .filter((value) => value >= least - slack && value <= most + slack)
    .map((value) => ({ value, text: tick(value, unit) }));
}

/** Return the places along x at which marks have points, in order. */
export function placesAlong(marks: readonly Mark[]): number[] {
  const all = marks.filter(({ kind }) => kind !== 'rule').flatMap(({ points }) => points.map(({ x }) => x));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** Return the point of a mark at `x`: of a line the last one up to there. */
export function pointAt({ kind, points }: Mark, x: number): Point | undefined {
  if (kind === 'rule') return points[0];
  const last = points[countUpTo(points, x, (point) => point.x) - 1];
  return kind === 'line' || last?.x === x ? last : undefined;
}

export interface Near {
  readonly mark: Mark;
  readonly point: Point;
}

/** Pixels within which a point is near. */
const REACH = 26;

/** Return the point of a mark that is nearest to a place on the drawing, if one is near. */
export function near(marks: readonly Mark[], { x, y }: Plot, [left, top]: readonly [number, number]): Near | null {
  let best: Near | null = null;
  let least = REACH;
  for (const mark of marks) {
    if (mark.kind === 'rule' || mark.kind === 'band') continue;
    for (const point of mark.points) {
      const distance = Math.hypot(x(point.x) - left, y(point.y) - top);
      if (distance < least) [best, least] = [{ mark, point }, distance];
    }
  }
  return best;
}

/** The colour of each tone; none for '' . */
export const TONES: Partial<Record<Tone, string>> = {
  good: 'var(--good)',
  bad: 'var(--live)',
  warning: 'var(--warn)',
  faint: 'var(--ink-faint)',
};

/** The colours of words: what is faint can be read all the same. */
export const INKS: typeof TONES = { ...TONES, faint: 'var(--ink-soft)' };

/** Return the colour of a player or arm. */
export function ownerColour(owners: readonly string[], owner: string): string {
  const place = owners.indexOf(owner);
  return place < 0 ? 'var(--ink-soft)' : hue(place);
}

/** Return the colours of marks: of their owners, their tones, or the order of those that have neither. */
export function coloursOf(marks: readonly Mark[], owners: readonly string[]): string[] {
  const plain = marks.filter(({ owner, tone, kind, name }) => !owner && !tone && kind !== 'rule' && name);
  const first = marks.some(({ owner }) => owner) ? owners.length : 0;
  return marks.map((mark) => {
    if (mark.owner) return ownerColour(owners, mark.owner);
    if (mark.tone) return TONES[mark.tone] ?? 'var(--ink-soft)';
    if (mark.kind === 'rule') return 'var(--gold)';
    const place = plain.indexOf(mark);
    return place < 0 || place + first === 0 ? 'var(--accent)' : hue(place + first);
  });
}

/** Return at most `count` lines whose names stand at their ends: the strong ones first, then those with an owner. */
export function labelled(marks: readonly Mark[], count: number): Mark[] {
  const weight = ({ strong, owner, tone }: Mark): number =>
    4 * Number(strong) + 2 * Number(tone !== 'faint') + Number(owner !== '');
  const best = [...marks].sort((a, b) => weight(b) - weight(a)).slice(0, count);
  return marks.filter((mark) => best.includes(mark));
}

/** Return the value of a point with its interval: `1,654 (1,601 to 1,708)`. */
export function pointText({ y, x, low, high }: Point, chart: Chart): string {
  const unit = (chart.y ?? chart.x).unit;
  const text = written(chart.y ? y : x, unit);
  return low == null || high == null ? text : `${text} (${written(low, unit)} to ${written(high, unit)})`;
}
