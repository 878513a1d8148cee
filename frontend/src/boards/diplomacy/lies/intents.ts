/** What powers mean to do to each other and hold against each other, as the map shows it before the orders. Pure. */

import { powerName } from '../powers';
import { count, type State } from '../state';
import { shownLies, type KnownLies, type Lie } from './lies';

/** What a power holds against another: it prepares to stab it, bears it a grudge, or distrusts it though it is trusted. */
export interface Intent {
  readonly kind: 'stab' | 'grudge' | 'wary';
  readonly power: string;
  readonly other: string;
  /** Whether a pact binds the two. */
  readonly bound: boolean;
}

export type Known = Pick<State, 'known' | 'phase' | 'units' | 'pacts' | 'centers' | 'season'>;

/** The most of each kind, and the most lines in all, those of lies among them. */
const SHOWN = 2;
const LINES = 4;
/** The trust of a grudge. */
const HATRED = -2;
/** The worth of a pact beside grades of trust. */
const PACT = 2;

const trustOf = ({ trust }: KnownLies, power: string, other: string): number => trust[power]?.[other] ?? 0;

/** Return what the map shows beside lies in a movement phase: stabs in preparation first, then grudges, then mistrust. */
export function intentsOf(board: Known): Intent[] {
  if (!board.phase.endsWith('M')) return [];
  const lies = shownLies(board.known, board.phase, board.season.at(-1)?.phase);
  const room = LINES - lies.reduce((sum, { recipients }) => sum + recipients.length, 0);
  const stabs = stabsOf(board);
  const grudges = grudgesOf(board, [...lies.flatMap(pairs), ...stabs]);
  return [...stabs, ...grudges, ...mistrusts(board, [...lies.flatMap(pairs), ...stabs, ...grudges])].slice(
    0,
    Math.max(0, room),
  );
}

/**
 * Return the stabs in preparation: powers that aim at one which trusts them or has a pact with them, those with most at
 * stake, and without those who lie to it already.
 */
export function stabsOf(board: Known): Intent[] {
  const { known, phase, centers } = board;
  const lies = known.lies.filter((lie) => lie.phase === phase).flatMap(pairs);
  const owned = count(centers);
  const stake = ({ power, other, bound }: Intent): number => trustOf(known, other, power) + (bound ? PACT : 0);
  return between(board, 'stab', lies)
    .filter(({ power, other }) => known.aims[power]?.turn === phase && known.aims[power].seats.includes(other))
    .filter((stab) => stab.bound || stake(stab) > 0)
    .sort((a, b) => stake(b) - stake(a) || (owned[b.other] ?? 0) - (owned[a.other] ?? 0))
    .slice(0, SHOWN);
}

/** Return the powers that trust nobody less than one which broke its word to them, the most broken words first. */
function grudgesOf(board: Known, drawn: readonly Pair[]): Intent[] {
  const { known } = board;
  const broken = ({ power, other }: Pair): number => known.broken[`${other} ${power}`] ?? 0;
  return between(board, 'grudge', drawn)
    .filter((grudge) => trustOf(known, grudge.power, grudge.other) <= HATRED && broken(grudge) > 0)
    .sort((a, b) => broken(b) - broken(a))
    .slice(0, SHOWN);
}

/** Return the powers that distrust one which trusts them, the widest apart. */
function mistrusts(board: Known, drawn: readonly Pair[]): Intent[] {
  const { known } = board;
  const apart = ({ power, other }: Pair): number => trustOf(known, other, power) - trustOf(known, power, other);
  return between(board, 'wary', drawn)
    .filter(({ power, other }) => trustOf(known, power, other) < 0 && trustOf(known, other, power) > 0)
    .sort((a, b) => apart(b) - apart(a))
    .slice(0, SHOWN);
}

/** Return the sentence of an intent, for those who do not see its line. */
export function intentWords({ kind, power, other, bound }: Intent): string {
  const [own, its] = [powerName(power), powerName(other)];
  if (kind === 'grudge') return `${own} bears a grudge against ${its}, which broke its word`;
  if (kind === 'wary') return `${own} distrusts ${its}, which trusts it`;
  return `${own} prepares to stab ${its}, ${bound ? 'with which it has a pact' : 'which trusts it'}`;
}

type Pair = Pick<Intent, 'power' | 'other'>;

const pairs = ({ power, recipients }: Lie): Pair[] => recipients.map((other) => ({ power, other }));

/** Return an intent of each power with units to each other one, by name, but for the pairs that are `drawn`. */
function between({ units, pacts }: Known, kind: Intent['kind'], drawn: readonly Pair[]): Intent[] {
  const powers = [...new Set(Object.values(units).map(({ power }) => power))].sort();
  const done = new Set(drawn.map(({ power, other }) => `${power} ${other}`));
  const bound = (...two: string[]): boolean =>
    pacts.some(({ standing, parties }) => standing === 'accepted' && two.every((party) => parties.includes(party)));
  return powers.flatMap((power) =>
    powers
      .filter((other) => other !== power && !done.has(`${power} ${other}`))
      .map((other) => ({ kind, power, other, bound: bound(power, other) })),
  );
}
