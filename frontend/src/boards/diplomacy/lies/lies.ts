/** The lies of a phase as the map shows them: who writes to whom, the words, and what becomes of them. Pure. */

import type { GameEvent, LieNoted, NotesTaken, PromiseBroken, PromiseKept } from '../events.gen';
import type { MessageSent } from '../../../types.gen';

export interface Lie {
  readonly power: string;
  readonly recipients: readonly string[];
  readonly phase: string;
  readonly promise: string;
  /** The words of the letter; '' if they are not known. */
  readonly text: string;
  /** Whether it was broken, or honoured after all; `open` before the orders. */
  readonly fate: 'open' | 'broken' | 'honoured';
  /** How often the sender had broken its word to the first recipient before. */
  readonly earlier: number;
  /** The round of letters in which it was written. */
  readonly round: number;
}

/** The time until the orders of a phase. */
export interface Countdown {
  /** The rounds of letters before the orders: those to come, and all; 0 of 0 if they are not known. */
  readonly left: number;
  readonly rounds: number;
  /** The time at which the clock of the last person who was asked for orders runs out; null if nobody was. */
  readonly deadline: number | null;
}

export interface KnownLies {
  /** The lies of the last phase that has any. */
  readonly lies: readonly Lie[];
  /** The last letter with promises. */
  readonly letter: MessageSent | null;
  /** `SENDER RECIPIENT` -> the number of broken promises. */
  readonly broken: Readonly<Record<string, number>>;
  /** The rounds of letters of this phase that are over. */
  readonly held: number;
  readonly rounds: number;
  readonly deadline: number | null;
  /** The trust of each power in the others, from -2 to 2, as it notes it for itself. */
  readonly trust: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The powers that each power aims at, as it notes it for itself, until the orders are played. */
  readonly aims: Readonly<Record<string, Aims>>;
}

export interface Aims {
  readonly turn: string;
  readonly seats: readonly string[];
  /** The round of letters in which they were noted first. */
  readonly round: number;
}

/** Where the line of a power begins or ends. */
export const CAPITALS: Readonly<Record<string, string>> = {
  AUSTRIA: 'VIE',
  ENGLAND: 'LON',
  FRANCE: 'PAR',
  GERMANY: 'BER',
  ITALY: 'ROM',
  RUSSIA: 'MOS',
  TURKEY: 'CON',
};

/** How far that line is bent, as a share of its length. */
export const BEND = 0.14;

export const NO_LIES: KnownLies = {
  lies: [],
  letter: null,
  broken: {},
  held: 0,
  rounds: 0,
  deadline: null,
  trust: {},
  aims: {},
};

/** Return the known lies after `event`. */
export function liesAfter(known: KnownLies, event: GameEvent): KnownLies {
  switch (event.type) {
    case 'MessageSent':
      return event.data.promises?.length ? { ...known, letter: event.data } : known;
    case 'LieNoted':
      return {
        ...known,
        lies: [...known.lies.filter(({ phase }) => phase === event.data.phase), noted(known, event.data)],
      };
    case 'PromiseBroken':
      return { ...judged(known, event.data, 'broken'), broken: counted(known.broken, event.data) };
    case 'PromiseKept':
      return judged(known, event.data, 'honoured');
    case 'PromiseReplaced': {
      const lies = known.lies.filter((lie) => !same(lie, event.data));
      return lies.length === known.lies.length ? known : { ...known, lies };
    }
    case 'NotesTaken':
      return {
        ...known,
        trust: { ...known.trust, [event.data.seat]: event.data.trust },
        aims: { ...known.aims, [event.data.seat]: aimsAfter(known, event.data) },
      };
    case 'OrdersResolved':
      return { ...known, aims: {} };
    case 'NegotiationHeld':
      return { ...known, held: event.data.round, rounds: event.data.rounds };
    case 'ActionRequested':
      return event.data.kind === 'choose' ? { ...known, deadline: event.data.deadline ?? null } : known;
    case 'PhaseAdvanced':
      return known.held || known.deadline !== null ? { ...known, held: 0, deadline: null } : known;
    default:
      return known;
  }
}

/** Return the lies that are shown while `phase` is played and after it, until the next letters are written. */
export function shownLies({ lies }: KnownLies, phase: string, played: string | undefined): readonly Lie[] {
  return lies.filter((lie) => (lie.fate === 'open' ? lie.phase === phase : lie.phase === played));
}

/** Return the time until the orders, as far as it is known of what was written in `round`. */
export function countdown({ held, rounds, deadline }: KnownLies, { round }: Pick<Lie, 'round'>): Countdown {
  return { left: Math.max(0, rounds - Math.max(held, round)), rounds, deadline };
}

function aimsAfter({ aims, held }: KnownLies, { seat, turn, aims: seats = [] }: NotesTaken): Aims {
  const before = aims[seat];
  const same = before?.turn === turn && before.seats.join() === seats.join();
  return same ? before : { turn, seats, round: held + 1 };
}

function noted({ letter, broken, held }: KnownLies, { power, phase, promise, recipients }: LieNoted): Lie {
  const own = letter?.sender === power && letter.recipients.join() === recipients.join();
  const text = own && letter.promises?.includes(promise) ? letter.text : '';
  const earlier = broken[`${power} ${recipients[0]}`] ?? 0;
  return { power, recipients, phase, promise, text, fate: 'open', earlier, round: held + 1 };
}

type Promised = Pick<PromiseKept, 'power' | 'phase' | 'promise' | 'recipients'>;

function same(lie: Lie, { power, phase, promise, recipients }: Promised): boolean {
  const alike = lie.power === power && lie.phase === phase && lie.promise === promise;
  return alike && lie.recipients.join() === recipients.join();
}

function judged(known: KnownLies, verdict: Promised, fate: Lie['fate']): KnownLies {
  if (!known.lies.some((lie) => same(lie, verdict))) return known;
  return { ...known, lies: known.lies.map((lie) => (same(lie, verdict) ? { ...lie, fate } : lie)) };
}

function counted(broken: KnownLies['broken'], { power, recipients, public: all }: PromiseBroken): KnownLies['broken'] {
  if (all) return broken;
  const next = { ...broken };
  for (const other of recipients) next[`${power} ${other}`] = (next[`${power} ${other}`] ?? 0) + 1;
  return next;
}
