import { expect, it } from 'vitest';

import type { GameEvent } from '../events.gen';
import { drawings } from './arrows';
import { schedule } from './conflicts';
import { jumps, leansToThreat, motions } from './motion';
import { CAPITALS } from '../lies/lies';
import { HEIGHT, PROVINCES, WIDTH } from '../map/drawing';
import { anchorsFor } from '../map/places';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';
import { STEPS } from '../testing/match';

const R = 14;
const anchors = anchorsFor(R);
const phases = STEPS.flatMap(({ event, after }) => {
  const played = after.season.at(-1);
  return event.type === 'OrdersResolved' && played ? [{ played, after, drawn: drawings(played, anchors, R) }] : [];
});

/** How far a keyframe shifts its element. */
const shift = (frame: Keyframe | undefined): number[] =>
  String(frame?.['transform'])
    .match(/-?[\d.]+/g)
    ?.map(Number) ?? [];

it('glides every unit that moved from where it stood to where it stands', () => {
  for (const { played, after, drawn } of phases) {
    const all = motions(drawn, played, after, anchors, R);
    for (const order of played.orders) {
      if (order.kind !== 'move' || order.results.length || !order.to || !order.unit) continue;
      const unit = after.units[order.to.slice(0, 3)];
      const glide = all.find(({ of }) => of === `[data-unit="${unit?.id}"]`);
      const [dx, dy] = shift(glide?.frames[0]);
      const [from, to] = [anchors.unit(order.unit.at), anchors.unit(order.to)];
      expect((dx ?? NaN) * (R / 12)).toBeCloseTo(from[0] - to[0], -0.5);
      expect((dy ?? NaN) * (R / 12)).toBeCloseTo(from[1] - to[1], -0.5);
      expect(shift(glide?.frames.at(-1)).map(Math.abs)).toEqual([0, 0]);
    }
  }
});

it('brings back a unit that was stopped', () => {
  const stopped = phases.flatMap(({ played, after, drawn }) =>
    played.orders
      .filter((order) => order.kind === 'move' && order.results.join() === 'bounce')
      .map((order) => {
        const unit = after.units[order.unit?.at.slice(0, 3) ?? ''];
        return (
          motions(drawn, played, after, anchors, R).find(({ of }) => of === `[data-unit="${unit?.id}"]`)?.frames ?? []
        );
      }),
  );
  expect(stopped.length).toBeGreaterThan(20);
  for (const frames of stopped) {
    expect(shift(frames.at(-1)).map(Math.abs)).toEqual([0, 0]);
    expect(Math.hypot(...shift(frames[Math.floor(frames.length / 2)]))).toBeGreaterThan(5);
  }
});

it('is over when the board says so', () => {
  for (const { played, after, drawn } of phases) {
    for (const { timing } of motions(drawn, played, after, anchors, R)) {
      expect(Number(timing.delay ?? 0) + Number(timing.duration)).toBeLessThanOrEqual(schedule(played).lasts);
    }
  }
});

it('names each drawing of a season once', () => {
  for (const { after } of STEPS) {
    const ids = after.season.flatMap((played) => drawings(played, anchors, R).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  }
});

it('glides the units that stand elsewhere after a jump over several phases, and no others', () => {
  const [first, last] = [phases[0]?.after, phases.at(-1)?.after];
  if (!first || !last) throw new Error('no phases');
  const glides = jumps(first, last, anchors, R);
  expect(glides.length).toBeGreaterThan(5);
  for (const { of, frames } of glides) {
    const [before, after] = [first, last].map(({ units }) =>
      Object.values(units).find(({ id }) => of.includes(`"${id}"`)),
    );
    if (!before || !after) continue;
    const [from, to] = [anchors.unit(before.at), anchors.unit(after.at)];
    expect((shift(frames[0])[0] ?? NaN) * (R / 12)).toBeCloseTo(from[0] - to[0], -0.5);
    expect(shift(frames.at(-1)).map(Math.abs)).toEqual([0, 0]);
  }
  expect(jumps(first, first, anchors, R)).toEqual([]);
});

const lieOf = (power: string, victim: string, phase = 'F1902M'): State => {
  const data = { power, phase, promise: 'A KIE - DEN', recipients: [victim], public: false };
  return reduce({ ...EMPTY, phase: 'F1902M' }, { type: 'LieNoted', data } as unknown as GameEvent);
};

it('leans once to a lie when its card opens, and to none of another phase', () => {
  const before = { ...EMPTY, phase: 'F1902M' };
  const lied = lieOf('GERMANY', 'ENGLAND');
  expect(leansToThreat(before, lied)).toHaveLength(1);
  expect(leansToThreat(lied, { ...lied, ready: ['ITALY'] })).toEqual([]);
  expect(leansToThreat(before, before)).toEqual([]);
  expect(leansToThreat(before, lieOf('GERMANY', 'ENGLAND', 'S1902M'))).toEqual([]);
  const verdict = { power: 'GERMANY', phase: 'F1902M', promise: 'A KIE - DEN', recipients: ['ENGLAND'], public: false };
  const kept = reduce(lied, {
    type: 'PromiseKept',
    data: { ...verdict, order: '', meant: '' },
  } as unknown as GameEvent);
  expect(leansToThreat(lied, kept)).toEqual([]);
});

it('leans once to a stab in preparation while no orders are in, and rather to a lie', () => {
  const note = (state: State, seat: string, data: object): State =>
    reduce(state, { type: 'NotesTaken', data: { seat, turn: 'F1902M', notes: '', ...data } } as unknown as GameEvent);
  const unit = (power: string, at: string): [string, State['units'][string]] => [at, { id: at, kind: 'A', at, power }];
  const units = Object.fromEntries([unit('ITALY', 'ROM'), unit('ENGLAND', 'LON'), unit('GERMANY', 'BER')]);
  const before = note({ ...EMPTY, phase: 'F1902M', units }, 'ENGLAND', { trust: { ITALY: 1 } });
  const aiming = note(before, 'ITALY', { trust: {}, aims: ['ENGLAND'] });
  expect(leansToThreat(before, aiming)).toHaveLength(1);
  expect(leansToThreat(aiming, { ...aiming, votes: ['ITALY'] })).toEqual([]);
  expect(leansToThreat(before, { ...aiming, ready: ['ITALY'] })).toEqual([]);
  const lied = lieOf('GERMANY', 'ENGLAND');
  expect(leansToThreat(before, { ...aiming, known: { ...aiming.known, lies: lied.known.lies } })).toEqual(
    leansToThreat({ ...EMPTY, phase: 'F1902M' }, lied),
  );
});

it('keeps both ends of a lie in the frame, closer than the whole map', () => {
  const powers = Object.keys(CAPITALS);
  for (const power of powers)
    for (const victim of powers.filter((other) => other !== power)) {
      const [lean] = leansToThreat({ ...EMPTY, phase: 'F1902M' }, lieOf(power, victim));
      const frame = lean?.frames[1];
      const [scale = 0] = shift(frame);
      expect(scale).toBeGreaterThan(1.15);
      const origin =
        String(frame?.['transformOrigin'])
          .match(/[\d.]+/g)
          ?.map(Number) ?? [];
      for (const end of [power, victim]) {
        const at = PROVINCES.get(CAPITALS[end] ?? '')?.unit ?? [NaN, NaN];
        for (const [axis, size] of [WIDTH, HEIGHT].entries()) {
          const fixed = ((origin[axis] ?? NaN) / 100) * size;
          const seen = fixed + ((at[axis] ?? NaN) - fixed) * scale;
          expect(seen).toBeGreaterThan(0);
          expect(seen).toBeLessThan(size);
        }
      }
    }
});
