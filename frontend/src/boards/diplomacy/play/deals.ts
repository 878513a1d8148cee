/** What two powers can agree on: orders of both that belong together, and places that stay empty, with their words. */

import { listed } from '../../../lib/say';
import type { PactTerm } from '../events.gen';
import { reach } from '../map/borders';
import { PROVINCES } from '../map/drawing';
import { provinceOf, type PlayedOrder } from '../orders';
import type { Pact } from '../pacts';
import { powerName } from '../powers';
import type { State, Unit } from '../state';
import { readText } from '../story/notation';
import { kindName } from '../story/orderText';

/** Orders of one phase that belong together: a move or a hold and its support; or a place that stays empty. */
export interface Clause {
  readonly turn: string;
  readonly terms: readonly PactTerm[];
  readonly zone: string;
}

export const KINDS = {
  mine: 'Support me',
  yours: 'I support you',
  hold: 'Hold together',
  zone: 'Keep empty',
} as const;

export type Kind = keyof typeof KINDS;

/** A pact that a person offers. */
export interface Deal {
  readonly clauses: readonly Clause[];
  /** The last phase in which the places stay empty. */
  readonly until: string;
  readonly war: boolean;
  /** The offer that it answers, '' if none. */
  readonly counters: string;
}

const SEASONS = 3;
const THE = new Set(['CLY', 'RUH']);

/** Return the phases that a pact of `phase` may name. */
export function turnsFrom(phase: string): string[] {
  const first = 2 * Number(phase.slice(1, 5)) + Number(!phase.startsWith('S'));
  return Array.from({ length: SEASONS }, (_, n) => `${'SF'[(first + n) % 2]}${Math.floor((first + n) / 2)}M`);
}

/** Return a phase in a sentence: `the autumn of 1902`. */
export const seasonWords = (turn: string): string =>
  `the ${turn.startsWith('S') ? 'spring' : 'autumn'} of ${turn.slice(1, 5)}`;

/** Return what `seat` and `other` can agree on for the units as they stand, supply centres first. */
export function clausesFor(board: State, seat: string, other: string, turn: string): Record<Kind, Clause[]> {
  return {
    mine: pushes(board, seat, other, turn),
    yours: pushes(board, other, seat, turn),
    hold: [...holds(board, seat, other, turn), ...holds(board, other, seat, turn)],
    zone: zones(board, seat, other, turn),
  };
}

const unitsOf = (board: State, power: string): Unit[] =>
  Object.values(board.units).filter((unit) => unit.power === power);
const name = ({ kind, at }: Unit): string => `${kind} ${at}`;
const reachesInto = (unit: Unit, province: string): boolean =>
  reach(unit).some((place) => provinceOf(place) === province);

function pair(turn: string, mover: Unit, order: string, helper: Unit, support: string): Clause {
  const terms = [
    { turn, power: mover.power, order: `${name(mover)} ${order}` },
    { turn, power: helper.power, order: `${name(helper)} S ${name(mover)}${support}` },
  ];
  return { turn, terms, zone: '' };
}

/** Return the moves of one power, into what is neither's, that a unit of the other can support. */
function pushes(board: State, mover: string, helper: string, turn: string): Clause[] {
  const found: { clause: Clause; worth: number }[] = [];
  for (const unit of unitsOf(board, mover)) {
    for (const to of reach(unit)) {
      const province = provinceOf(to);
      const owners = [board.centers[province], board.units[province]?.power];
      if (owners.includes(mover) || owners.includes(helper)) continue;
      const worth = Number(PROVINCES.get(province)?.center != null) + Number(province in board.units);
      for (const near of unitsOf(board, helper)) {
        if (!reachesInto(near, province)) continue;
        found.push({ clause: pair(turn, unit, `- ${to}`, near, ` - ${to}`), worth });
      }
    }
  }
  return found.sort((a, b) => b.worth - a.worth).map(({ clause }) => clause);
}

/** Return the units of one power that a unit of the other can support where they stand. */
const holds = (board: State, holder: string, helper: string, turn: string): Clause[] =>
  unitsOf(board, holder).flatMap((unit) =>
    unitsOf(board, helper)
      .filter((near) => reachesInto(near, provinceOf(unit.at)))
      .map((near) => pair(turn, unit, 'H', near, '')),
  );

/** Return the vacant places without a supply centre that both powers can enter. */
function zones(board: State, seat: string, other: string, turn: string): Clause[] {
  const near = (power: string): Set<string> =>
    new Set(unitsOf(board, power).flatMap((unit) => reach(unit).map(provinceOf)));
  const theirs = near(other);
  return [...near(seat)]
    .filter((place) => theirs.has(place) && !(place in board.units) && !PROVINCES.get(place)?.center)
    .map((zone) => ({ turn, terms: [], zone }));
}

/** Return the clauses of an offer. */
export function clausesOf({ terms, zones: places, until }: Pick<Pact, 'terms' | 'zones' | 'until'>): Clause[] {
  const rest = [...terms];
  const clauses: Clause[] = [];
  while (rest.length) {
    const term = rest.shift() as PactTerm;
    const place = order(term).unit?.at;
    const [helped] = order(term).helps ? [order(term).helps?.at] : [place];
    const more = rest.filter((one) => {
      const { unit, helps } = order(one);
      return one.turn === term.turn && (unit?.at === helped || helps?.at === helped);
    });
    for (const one of more) rest.splice(rest.indexOf(one), 1);
    clauses.push({ turn: term.turn, terms: [term, ...more], zone: '' });
  }
  return [...clauses, ...places.map((zone) => ({ turn: until, terms: [], zone }))];
}

const order = ({ power, order: text }: PactTerm): PlayedOrder => readText(power, text);

function placeWords(place: string): string {
  const province = PROVINCES.get(provinceOf(place));
  const named = province?.name.replace(/^(Mid-Atlantic|North Atlantic) Ocean$/, '$1') ?? place;
  return province?.kind === 'sea' || THE.has(provinceOf(place)) ? `the ${named}` : named;
}

/** Return a clause as `seat` says it to `other`: `your army in Munich supports my army in Paris into Burgundy`. */
export function clauseWords({ terms, zone }: Clause, seat: string, other: string): string {
  if (zone) return `${placeWords(zone)} stays empty`;
  const whose = (power = ''): string =>
    ({ [seat]: 'my', [other]: 'your', '': 'the' })[power] ?? `${powerName(power)}'s`;
  const owners = new Map(terms.map((term) => [order(term).unit?.at, term.power]));
  const unit = ({ kind, at }: { kind: 'A' | 'F'; at: string }): string =>
    `${whose(owners.get(at))} ${kindName(kind)} in ${placeWords(at)}`;
  const helped = new Set(terms.map((term) => order(term).helps?.at));
  const clauses = terms.flatMap((term) => {
    const { unit: own, helps, to, kind } = order(term);
    if (!own || (!helps && helped.has(own.at))) return [];
    if (helps) {
      const verb = kind === 'convoy' ? 'carries' : 'supports';
      return `${unit(own)} ${verb} ${unit(helps)} ${to ? `into ${placeWords(to)}` : 'where it stands'}`;
    }
    return to ? `${unit(own)} goes to ${placeWords(to)}` : `${unit(own)} stays where it is`;
  });
  return listed(clauses);
}

/** Return clauses in one sentence, season by season from `phase` on. */
function dealWords(clauses: readonly Clause[], phase: string, seat: string, other: string): string {
  const orders = clauses.filter(({ zone }) => !zone);
  const turns = [...new Set(orders.map(({ turn }) => turn))].sort((a, b) => seasonNumber(a) - seasonNumber(b));
  const parts = turns.map((turn) => {
    const said = orders.filter((clause) => clause.turn === turn).map((clause) => clauseWords(clause, seat, other));
    return turn === phase ? listed(said) : `in ${seasonWords(turn)} ${listed(said)}`;
  });
  const empty = clauses.filter(({ zone }) => zone).map(({ zone }) => placeWords(zone));
  if (empty.length) {
    const until = clauses.find(({ zone }) => zone)?.turn ?? phase;
    parts.push(`neither of us enters ${listed(empty)} until ${seasonWords(until)}`);
  }
  return parts.join('; ');
}

const seasonNumber = (turn: string): number => 2 * Number(turn.slice(1, 5)) + Number(!turn.startsWith('S'));

/** Return the letter that offers a deal. */
export function offerText(deal: Deal, phase: string, seat: string, other: string): string {
  const words = dealWords(deal.clauses, phase, seat, other);
  const begin = deal.counters ? 'Not so, but thus' : 'I offer you a pact';
  return `${begin}: ${words}.${deal.war ? ' Whoever breaks it has a war.' : ''}`;
}

/** Return the letter that accepts or refuses an offer. */
export function answerText(pact: Pact, accepts: boolean, phase: string, seat: string): string {
  const words = dealWords(clausesOf(pact), phase, seat, pact.power);
  return accepts ? `I accept: ${words}.` : `I refuse your pact: ${words}.`;
}

/** Return the lines of a deal, as the rules read them. */
export function linesOf({ clauses, until, war, counters }: Deal): string[] {
  const orders = clauses.flatMap(({ terms }) => terms.map(({ turn, power, order }) => `${turn} ${power} ${order}`));
  const empty = clauses.filter(({ zone }) => zone).map(({ zone }) => `ZONE ${zone}`);
  return [
    ...(counters ? [`COUNTER ${counters}`] : []),
    ...orders,
    ...empty,
    ...(empty.length ? [`UNTIL ${until}`] : []),
    ...(war ? ['ELSE WAR'] : []),
  ];
}
