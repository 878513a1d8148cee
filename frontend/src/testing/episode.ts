/** Episodes for tests: a small made-up game whose whole state is the sum of its numbers. */

import type { Board } from '../boards/board';
import { MATCH, PLAIN, type Game, type Told } from '../boards/game';
import type { Numbered, Slot } from '../episode/record/store';
import { parts } from '../episode/show/parts';
import type { EpisodeSummary, Event, Snapshot } from '../types.gen';

export const ID = 'sum-1';
export const EPOCH = 7;

export interface Sum {
  readonly total: number;
  readonly added: readonly number[];
}

export const summary = {
  episode_id: ID,
  epoch: EPOCH,
  game: 'sum',
  title: 'A test',
  status: 'live',
  origin: 'api',
  options: {},
  seats: [
    { seat: 'north', player: 'adder', kind: 'bot' },
    { seat: 'south', player: 'adder', kind: 'bot' },
  ],
  created_at: 1000,
  started_at: 1000,
  ended_at: null,
  last_seq: 0,
  turn: '',
  scores: {},
  outcome: null,
  message: '',
} as unknown as EpisodeSummary;

export function event(seq: number, type: string, data: Event['data']): Event {
  return { episode_id: ID, epoch: EPOCH, seq, at: 1000 + seq, type, audience: 'public', data };
}

/** The frames of an episode of `length` events: a turn every five, every seventh withheld, else a number is added. */
export function frames(length: number): Numbered[] {
  return Array.from({ length }, (_, seq): Numbered => {
    if (seq % 7 === 3) return { frame: 'withheld', seq };
    if (seq === 0) return { frame: 'event', event: event(0, 'EpisodeCreated', { title: 'A test' }) };
    if (seq % 5 === 0) {
      const scores = { north: seq, south: 0 };
      return {
        frame: 'event',
        event: event(seq, 'TurnStarted', { turn: `t${seq / 5}`, index: seq / 5, to_act: ['north'], scores }),
      };
    }
    return { frame: 'event', event: event(seq, 'Added', { by: seq % 11, state: { total: total(seq) } }) };
  });
}

/** The sum of what has been added up to and with `seq`. */
function total(seq: number): number {
  let sum = 0;
  for (let n = 1; n <= seq; n++) if (n % 7 !== 3 && n % 5 !== 0) sum += n % 11;
  return sum;
}

/** The snapshot of `seq` as the server would take it: the last state before it, and what followed. */
export function snapshot(all: readonly Numbered[], seq: number): Snapshot {
  let base = seq;
  while (base >= 0 && !stateOf(all[base])) base--;
  const turn = all.slice(0, seq + 1).findLast((frame) => frame.frame === 'event' && frame.event.type === 'TurnStarted');
  return {
    episode: {
      ...summary,
      last_seq: seq,
      turn: turn?.frame === 'event' ? String(turn.event.data['turn']) : '',
    },
    viewpoint: 'spectator',
    epoch: EPOCH,
    seq,
    state_seq: base < 0 ? null : base,
    state: stateOf(all[base]) ?? null,
    recent: all.slice(base + 1, seq + 1),
  };
}

function stateOf(frame: Numbered | undefined): unknown {
  return frame?.frame === 'event' ? frame.event.data['state'] : undefined;
}

const nothing = (() => ({})) as unknown as Board<Sum>['view'];

export const board: Board<Sum> = {
  begin: (_, whole) => ({ total: (whole as { total: number } | null)?.total ?? 0, added: [] }),
  step: (state, { type, data }) =>
    type === 'Added' ? { total: state.total + Number(data['by']), added: [...state.added, Number(data['by'])] } : state,
  tell: ({ type, data }, before) => ({
    text: type === 'Added' ? `${before.total} and ${Number(data['by'])}` : '',
    step: true,
    marks: type === 'Added' && data['by'] === 10 ? [{ kind: 'note', label: 'Ten', weight: 1 }] : [],
  }),
  names: () => ({
    seat: (id) => ({ name: id, short: id.slice(0, 3), colour: 'black' }),
    turn: (turn) => ({ title: `Turn ${turn}`, tick: turn, chapter: `Turn ${turn}` }),
    ...PLAIN,
  }),
  strip: (_, __, score) => ({ count: String(score) }),
  terms: MATCH,
  aspect: 1,
  view: nothing,
  panels: [],
  card: nothing,
};

/** Return what the parts of each event in `slots` tell, by number. */
export const toldOf =
  <S>(game: Game<S>, slots: readonly Slot[]) =>
  (seq: number): Told[] => {
    const event = slots[seq];
    return event ? parts(event).map((part) => game.tell(part, game.begin(summary, null))) : [];
  };
