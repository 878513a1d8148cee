import { describe, expect, it } from 'vitest';

import type { EpisodeSummary } from '../../types.gen';
import { board } from '.';
import type { GameEvent, Position } from './events.gen';
import { reduce } from './reduce';
import { EMPTY, type Dislodged, type State, type Unit } from './state';
import { EVENTS, STATES, STEPS } from './testing/match';

const SUMMARY = { seats: [], options: {} } as unknown as EpisodeSummary;

it('colours the home lands of the powers that are there', () => {
  const none = { AUSTRIA: [], ENGLAND: [], ITALY: [], RUSSIA: [], TURKEY: [] };
  const units = { ...none, FRANCE: ['A BUR'], GERMANY: ['A MUN'] };
  const position = { phase: 'F1905M', units, retreats: {}, centers: { ...none, FRANCE: ['PAR'], GERMANY: [] } };
  const { control } = board.begin(SUMMARY, position);
  expect(new Set(Object.values(control))).toEqual(new Set(['FRANCE', 'GERMANY']));
  expect(control['GAS']).toBe('FRANCE');
  expect(control['LVN']).toBeUndefined();
});

it('keeps the task of a tactic', () => {
  const data = { tactic: 'fork', title: 'Two threats, one guard', seat: 'RUSSIA', task: 'Take Vienna or Budapest.' };
  const event = { type: 'TacticSet', data } as unknown as GameEvent;
  expect(reduce(EMPTY, event).task).toBe('Russia to play: Take Vienna or Budapest.');
  expect(board.tell(event as never, EMPTY).text).toBe(
    'Two threats, one guard. Russia to play: Take Vienna or Budapest.',
  );
  expect(EMPTY.task).toBe('');
});

/** A board as the position that it shows. */
function shown(state: State): Omit<Position, 'phase' | 'builds'> {
  const units: Record<string, string[]> = {};
  const retreats: Record<string, Record<string, string[]>> = {};
  const centers: Record<string, string[]> = {};
  for (const { power, kind, at } of Object.values(state.units)) (units[power] ??= []).push(`${kind} ${at}`);
  for (const { power, kind, at, retreats: to } of Object.values(state.dislodged)) {
    (retreats[power] ??= {})[`${kind} ${at}`] = [...to];
  }
  for (const [center, power] of Object.entries(state.centers)) (centers[power] ??= []).push(center);
  return { units, retreats, centers };
}

function sorted(position: Omit<Position, 'phase' | 'builds'>): unknown {
  const lists = (by: Record<string, string[]>): unknown =>
    Object.entries(by)
      .flatMap(([power, list]) => (list.length ? [[power, [...list].sort()]] : []))
      .sort();
  return [lists(position.units), Object.entries(position.retreats).sort(), lists(position.centers)];
}

const positions = STEPS.flatMap(({ event, before, after }) =>
  event.type === 'PhaseAdvanced' ? [{ position: event.data['state'] as Position, before, after }] : [],
);

describe('the board', () => {
  it('shows exactly the position that the game gives', () => {
    expect(positions.length).toBeGreaterThan(12);
    for (const { position, after } of positions) expect(sorted(shown(after))).toEqual(sorted(position));
  });

  it('knows the position from the orders and their results before the game gives it', () => {
    for (const { before, after } of positions.slice(1)) {
      const places = (units: Record<string, Unit>): string[] =>
        Object.values(units)
          .map(({ id, power, kind, at }) => `${id} ${power} ${kind} ${at}`)
          .sort();
      expect(places(before.units)).toEqual(places(after.units));
      expect(before.centers).toBe(after.centers);
    }
  });

  it('follows every unit from where it was raised, and tells which were lost', () => {
    for (const { before, after } of STEPS) {
      const ids = (state: State): string[] =>
        [...Object.values(state.units), ...Object.values(state.dislodged)].map((unit) => unit.id);
      expect(new Set(ids(after)).size).toBe(ids(after).length);
      const lost = ids(before).filter((id) => !ids(after).includes(id));
      expect(after.lost.map((unit) => unit.id)).toEqual(expect.arrayContaining(lost));
    }
    const travelled = new Set(
      STATES.flatMap((state) =>
        Object.values(state.units)
          .filter((unit) => unit.id === 'GERMANY BER S1901M')
          .map((unit) => unit.at),
      ),
    );
    expect(travelled.size).toBeGreaterThan(2);
  });

  it('shares what an event does not change', () => {
    let untouched = 0;
    for (const { event, before, after } of STEPS) {
      if (['TurnStarted', 'EpisodeStarted', 'EpisodeEnded', 'EpisodeCreated'].includes(event.type)) {
        expect(after).toBe(before);
      }
      if (event.type === 'OrdersSubmitted') expect({ ...after, ready: before.ready }).toEqual(before);
      for (const [at, unit] of Object.entries(after.units)) {
        const same = before.units[at];
        if (same && JSON.stringify(same) === JSON.stringify(unit)) {
          expect(unit).toBe(same);
          untouched++;
        }
      }
      if (JSON.stringify(after.control) === JSON.stringify(before.control)) expect(after.control).toBe(before.control);
    }
    expect(untouched).toBeGreaterThan(1000);
  });

  it('starts from a snapshot with the same position and no orders', () => {
    for (const { position, after } of positions) {
      const joined = board.begin(SUMMARY, position);
      expect(sorted(shown(joined))).toEqual(sorted(position));
      expect(joined.builds).toEqual(after.builds);
      expect(joined.season).toEqual([]);
      expect(joined.lost).toEqual([]);
      expect(Object.keys(joined.eliminated)).toEqual(Object.keys(after.eliminated));
    }
  });

  it('is empty before the first event, and not changed by a core event', () => {
    expect(board.begin(SUMMARY, null)).toBe(EMPTY);
    const strange = { ...EVENTS[0], type: 'SomethingNew', data: {} } as unknown as GameEvent;
    expect(reduce(EMPTY, strange)).toBe(EMPTY);
  });

  it('keeps the standing of every year, the start first', () => {
    const years = (STATES.at(-1) as State).history;
    expect(years.map(({ year }) => year)).toEqual([1900, 1901, 1902, 1903, 1904]);
    expect(years[0]?.counts).toMatchObject({ FRANCE: 3, RUSSIA: 4 });
    for (const { counts } of years) {
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      expect(total).toBeLessThanOrEqual(34);
    }
  });

  it('marks a dislodged unit aside with where it may go', () => {
    const beaten = STATES.flatMap((state) => Object.values(state.dislodged)).filter(
      (unit: Dislodged) => unit.retreats.length,
    );
    expect(beaten.length).toBeGreaterThan(0);
  });
});

describe('draw votes', () => {
  const vote = (seat: string, vote: string): GameEvent => ({
    ...(EVENTS[0] as GameEvent),
    type: 'DrawVoted',
    data: { seat, vote, phase: 'S1901M' },
  });

  it('stand until they are changed', () => {
    const both = reduce(reduce(EMPTY, vote('FRANCE', 'draw')), vote('ITALY', 'draw'));
    expect(both.votes).toEqual(['FRANCE', 'ITALY']);
    expect(reduce(both, vote('FRANCE', 'none')).votes).toEqual(['ITALY']);
  });
});
