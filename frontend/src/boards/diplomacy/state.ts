/** The state of the board. Immutable: each step shares unchanged parts. */

import { NO_LIES, type KnownLies } from './lies/lies';
import { share } from '../../lib/immutable';
import type { Position } from './events.gen';
import { PROVINCES } from './map/drawing';
import { destroyed, done, provinceOf, readUnit, type Played, type UnitName } from './orders';
import type { Pact } from './pacts';
import { HOME_LANDS } from './powers';

export interface Unit extends UnitName {
  /** The same for the unit's whole life, wherever it moves. */
  readonly id: string;
  readonly power: string;
}

export interface Dislodged extends Unit {
  /** Places to retreat to; empty if there are none or they are not known yet. */
  readonly retreats: readonly string[];
}

/** Supply centres by power after the fall of `year`; 1900 is the start. */
export interface Standing {
  readonly year: number;
  readonly counts: Readonly<Record<string, number>>;
}

export type By<T> = Readonly<Record<string, T>>;

export interface State {
  /** The next phase, `F1901M`; '' before the first. */
  readonly phase: string;
  /** By province. */
  readonly units: By<Unit>;
  readonly dislodged: By<Dislodged>;
  /** Supply centre -> its owner. */
  readonly centers: By<string>;
  /** Land province without a supply centre -> the power that occupied it last. */
  readonly control: By<string>;
  /** In winter, how many units a power may build (+) or must remove (-). */
  readonly builds: By<number>;
  /** The phases since the last movement phase, with that one first: their orders are drawn. Empty if not known. */
  readonly season: readonly Played[];
  /** Units that the last phase removed from the board. */
  readonly lost: readonly Unit[];
  readonly history: readonly Standing[];
  /** Power -> the phase of its elimination; '' if not known. */
  readonly eliminated: By<string>;
  /** Powers that have submitted their orders for the phase. */
  readonly ready: readonly string[];
  /** Powers that vote for a draw. */
  readonly votes: readonly string[];
  /** The pacts that the viewer may know: offers that wait, those in force, and those that the last orders decided. */
  readonly pacts: readonly Pact[];
  /** What is to be reached where the match is a tactic: `France to play: Take Munich.`; else ''. */
  readonly task: string;
  /** The lies that this viewer may know. */
  readonly known: KnownLies;
}

export const EMPTY: State = {
  phase: '',
  units: {},
  dislodged: {},
  centers: {},
  control: HOME_LANDS,
  builds: {},
  season: [],
  lost: [],
  history: [],
  eliminated: {},
  ready: [],
  votes: [],
  pacts: [],
  task: '',
  known: NO_LIES,
};

/**
 * A unit first seen in `phase`. Its id contains its power, because a province contains two units after a dislodgement.
 */
function raised({ kind, at }: UnitName, power: string, phase: string): Unit {
  return { id: `${power} ${at} ${phase}`, kind, at, power };
}

/** Return the position after the orders of a phase, as far as the orders and their results determine it. */
export function play(state: State, played: Played): State {
  const units: Record<string, Unit> = { ...state.units };
  const dislodged: Record<string, Dislodged> = {};
  const arriving: Unit[] = [];
  for (const order of played.orders) {
    if (!order.unit) continue;
    const at = provinceOf(order.unit.at);
    const unit = order.kind === 'retreat' ? state.dislodged[at] : state.units[at];
    if (order.kind === 'build' && done(order)) {
      units[at] = raised(order.unit, order.power, played.phase);
    } else if (unit && order.to && (order.kind === 'move' || order.kind === 'retreat') && done(order)) {
      if (order.kind === 'move') delete units[at];
      arriving.push({ id: unit.id, kind: unit.kind, power: unit.power, at: order.to });
    } else if (unit && order.results.includes('dislodged')) {
      delete units[at];
      if (!destroyed(order)) dislodged[at] = { ...unit, retreats: [] };
    } else if (order.kind === 'disband' && done(order) && !state.dislodged[at]) {
      delete units[at];
    }
  }
  for (const unit of arriving) units[provinceOf(unit.at)] = unit;
  const season = played.phase.endsWith('M') ? [played] : [...state.season, played];
  const next = { ...state, units: share(state.units, units), dislodged: share(state.dislodged, dislodged), season };
  return { ...next, lost: missing(state, next) };
}

/** Return the state at the beginning of the phase of `position`, which replaces what was derived from the orders. */
export function advance(state: State, position: Position): State {
  const before = new Map(all(state).map((unit) => [identity(unit), unit.id]));
  const known = (unit: UnitName & { power: string }): Unit => {
    const fresh = raised(unit, unit.power, position.phase);
    return { ...fresh, id: before.get(identity(unit)) ?? fresh.id };
  };
  const units: Record<string, Unit> = {};
  for (const unit of unitsOf(position.units)) units[provinceOf(unit.at)] = known(unit);
  const dislodged: Record<string, Dislodged> = {};
  for (const [power, entries] of Object.entries(position.retreats)) {
    for (const [name, retreats] of Object.entries(entries)) {
      dislodged[provinceOf(name.slice(2))] = { ...known({ ...readUnit(name), power }), retreats };
    }
  }
  const centers = share(state.centers, ownersOf(position.centers));
  const next: State = {
    ...state,
    phase: position.phase,
    units: share(state.units, units),
    dislodged: share(state.dislodged, dislodged),
    centers,
    control: controlled(state.phase ? state.control : share(state.control, landsOf(position)), units),
    builds: share(state.builds, { ...position.builds }),
    history: record(state.history, completed(position.phase), count(centers)),
    eliminated: share(state.eliminated, gone(state, position)),
    ready: [],
  };
  return { ...next, lost: state.season.length ? [...state.lost, ...missing(state, next)] : [] };
}

/** Return the home lands of the powers that are in a position: a match may begin without some of them. */
function landsOf({ units, centers, retreats }: Position): By<string> {
  const present = (power: string): boolean =>
    Boolean(units[power]?.length || centers[power]?.length || retreats[power]);
  return Object.fromEntries(Object.entries(HOME_LANDS).filter(([, power]) => present(power)));
}

/** Return `history` with the counts after the fall of `year`. */
export function record(history: readonly Standing[], year: number, counts: By<number>): readonly Standing[] {
  const last = history.at(-1);
  if (!last || last.year < year) return [...history, { year, counts }];
  if (last.year > year || share(last.counts, { ...counts }) === last.counts) return history;
  return [...history.slice(0, -1), { year, counts }];
}

export function count(centers: By<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const power of Object.values(centers)) counts[power] = (counts[power] ?? 0) + 1;
  return counts;
}

export function yearOf(phase: string): number {
  return Number(phase.slice(1, 5));
}

/** Return the last year whose fall is over when `phase` begins. */
function completed(phase: string): number {
  return phase.startsWith('W') ? yearOf(phase) : yearOf(phase) - 1;
}

/** Return the power of a province: the owner of its supply centre, or the power that occupied it last. */
export function holder(state: State, province: string): string | null {
  return state.centers[province] ?? state.control[province] ?? null;
}

const all = (state: State): Unit[] => [...Object.values(state.units), ...Object.values(state.dislodged)];
const identity = (unit: UnitName & { power: string }): string => `${unit.power} ${unit.kind} ${unit.at}`;

/** Return the units of `before` that do not exist in `after`. */
function missing(before: State, after: State): Unit[] {
  const alive = new Set(all(after).map((unit) => unit.id));
  return all(before).filter((unit) => !alive.has(unit.id));
}

function unitsOf(units: Position['units']): (UnitName & { power: string })[] {
  return Object.entries(units).flatMap(([power, names]) => names.map((name) => ({ ...readUnit(name), power })));
}

function ownersOf(centers: Position['centers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(centers).flatMap(([power, owned]) => owned.map((center) => [center, power])),
  );
}

function controlled(control: By<string>, units: By<Unit>): By<string> {
  const fresh: Record<string, string> = { ...control };
  for (const [at, unit] of Object.entries(units)) {
    const province = PROVINCES.get(at);
    if (province && province.kind !== 'sea' && !province.center) fresh[at] = unit.power;
  }
  return share(control, fresh);
}

/** Return powers without units and centres, also if the event of their elimination has not arrived. */
function gone(state: State, position: Position): Record<string, string> {
  const dead = { ...state.eliminated };
  for (const [power, owned] of Object.entries(position.centers)) {
    const stands =
      owned.length + (position.units[power]?.length ?? 0) + Object.keys(position.retreats[power] ?? {}).length;
    if (!stands) dead[power] ??= '';
  }
  return dead;
}
