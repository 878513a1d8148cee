/** The operator's view of a match: the current activity, messages, reasoning, decisions and faults of each agent. */

import type { Boundary } from '../show/boundaries';
import { coreData } from './matchInfo';
import type { Event, CoreEvents, MessageHeld, PlayerThinking, Usage } from '../../types.gen';

export interface Agent {
  readonly seat: string;
  readonly player: string;
  readonly kind: string;
  /** The last progress report on the pending decision; null if there is none. */
  readonly thinking: PlayerThinking | null;
  /** Time of that report, and of the last report with any progress, in Unix seconds. */
  readonly at: number;
  readonly progressAt: number;
  /** Total usage of the player's decisions, failed ones included. */
  readonly spent: Usage;
  readonly faults: number;
}

export interface Fault {
  readonly seq: number;
  readonly at: number;
  readonly turn: string;
  readonly seat: string;
  readonly boundary: Boundary;
  readonly message: string;
}

export interface Held extends MessageHeld {
  readonly at: number;
}

/** The messages, reasoning and actions of one seat in one turn. */
export interface Row {
  readonly index: number;
  readonly turn: string;
  readonly seat: string;
  readonly seq: number;
  readonly messages: readonly { readonly to: readonly string[] | null; readonly text: string; readonly seq: number }[];
  readonly thought: readonly string[];
  readonly did: readonly { readonly action: Record<string, unknown>; readonly source: string; readonly seq: number }[];
  readonly refused: readonly string[];
}

export interface Desk {
  readonly agents: readonly Agent[];
  readonly index: number;
  readonly turn: string;
  /** When the turn began, Unix seconds. */
  readonly turnAt: number;
  readonly toAct: readonly string[];
  readonly rows: readonly Row[];
  readonly faults: readonly Fault[];
  readonly held: readonly Held[];
  readonly over: boolean;
}

export const EMPTY_DESK: Desk = {
  agents: [],
  index: -1,
  turn: '',
  turnAt: 0,
  toAct: [],
  rows: [],
  faults: [],
  held: [],
  over: false,
};

const NOTHING: Usage = {
  seconds: 0,
  calls: 0,
  retries: 0,
  tokens_in: 0,
  tokens_out: 0,
  tokens_cached: 0,
  tokens_cache_written: 0,
  tokens_reasoning: 0,
  dollars: null,
  estimated: false,
};

type Take = { [T in keyof CoreEvents]?: (desk: Desk, data: CoreEvents[T], event: Event) => Desk };

const TAKE: Take = {
  EpisodeCreated: (desk, { seats }) => ({
    ...desk,
    agents: seats.map(({ seat, player, kind }) => ({
      seat,
      player,
      kind,
      thinking: null,
      at: 0,
      progressAt: 0,
      spent: NOTHING,
      faults: 0,
    })),
  }),
  TurnStarted: (desk, { index, turn, to_act: toAct }, { at }) => ({
    ...idle(desk),
    index,
    turn,
    turnAt: at,
    toAct,
  }),
  NegotiationHeld: (desk) => ({ ...idle(desk), held: [] }),
  PlayerThinking: (desk, thinking, { at }) =>
    changeAgent(desk, thinking.seat, (agent) => ({
      thinking,
      at,
      progressAt: progressed(agent.thinking, thinking) ? at : agent.progressAt,
    })),
  PlayerReported: (desk, { seat, report }, event) =>
    changeRow(
      changeAgent(desk, seat, (agent) => ({ thinking: null, spent: sum(agent.spent, report.usage) })),
      seat,
      event.seq,
      (row) => (report.thought ? { thought: [...row.thought, report.thought] } : {}),
    ),
  MessageSent: (desk, { sender, recipients, text, public: all }, { seq }) =>
    changeRow(desk, sender, seq, (row) => ({
      messages: [...row.messages, { to: all ? null : recipients, text, seq }],
    })),
  ActionChosen: (desk, { seat, action, source }, { seq }) =>
    'message' in action
      ? desk
      : changeRow({ ...desk, toAct: desk.toAct.filter((other) => other !== seat) }, seat, seq, (row) => ({
          did: [...row.did, { action, source, seq }],
        })),
  ActionRejected: (desk, { seat, reason }, { seq }) =>
    changeRow(desk, seat, seq, (row) => ({ refused: [...row.refused, reason] })),
  PlayerFault: (desk, { seat, boundary, message }, { seq, at }) => ({
    ...changeAgent(desk, seat, (agent) => ({ thinking: null, faults: agent.faults + 1 })),
    faults: [...desk.faults, { seq, at, turn: desk.turn, seat, boundary, message }],
  }),
  MessageHeld: (desk, held, { at }) => ({ ...desk, held: [...desk.held, { ...held, at }] }),
  ControlChanged: (desk, { command, value }) =>
    command === 'approve' || command === 'reject'
      ? { ...desk, held: desk.held.filter(({ id }) => id !== (value as { message?: unknown } | null)?.message) }
      : desk,
  EpisodeEnded: (desk) => ({ ...idle(desk), toAct: [], held: [], over: true }),
};

export function follow(desk: Desk, event: Event): Desk {
  const take = (TAKE as Record<string, Take['EpisodeEnded']>)[event.type];
  const data = coreData(event, event.type as 'EpisodeEnded');
  if (!take || !data || !Object.hasOwn(TAKE, event.type)) return desk;
  try {
    return take(desk, data, event);
  } catch {
    return desk; // The log reports a malformed event; the rest of the view stays valid.
  }
}

/** Seconds without progress after which a player's endpoint counts as stalled. */
export const STALL_SECONDS = 30;
export interface Activity {
  words: string;
  /** Duration of the activity; null if it is not measured. */
  seconds: number | null;
  stalled: boolean;
}

const STAGES: Record<PlayerThinking['stage'], string> = {
  choosing: 'Choosing',
  repairing: 'Correcting its answer',
  waiting: 'Waiting to retry',
  negotiating: 'Writing',
};

/** Return the activity of `agent` at `now`, in Unix seconds of the server's clock. */
export function activity(desk: Desk, agent: Agent, paused: boolean, taken: boolean, now: number): Activity {
  const thinking = agent.thinking;
  if (desk.held.some(({ seat }) => seat === agent.seat))
    return { words: 'Waiting for your approval', seconds: null, stalled: false };
  if (thinking && !taken) {
    const stalled = now - agent.progressAt > STALL_SECONDS;
    return { words: STAGES[thinking.stage], seconds: Math.max(0, thinking.seconds + now - agent.at), stalled };
  }
  if (desk.over) return { words: '', seconds: null, stalled: false };
  if (!desk.toAct.includes(agent.seat)) return { words: desk.index < 0 ? '' : 'Done', seconds: null, stalled: false };
  const person = taken || agent.kind === 'human' || agent.kind === 'remote';
  const words = person ? 'Asked' : paused ? 'Paused' : 'To move';
  return { words, seconds: person ? Math.max(0, now - desk.turnAt) : null, stalled: false };
}

function changeAgent(desk: Desk, seat: string, change: (agent: Agent) => Partial<Agent>): Desk {
  return {
    ...desk,
    agents: desk.agents.map((agent) => (agent.seat === seat ? { ...agent, ...change(agent) } : agent)),
  };
}

const idle = (desk: Desk): Desk => ({ ...desk, agents: desk.agents.map((agent) => ({ ...agent, thinking: null })) });

/** Change the row of `seat` in this turn, or add one. */
function changeRow(desk: Desk, seat: string, seq: number, change: (row: Row) => Partial<Row>): Desk {
  const place = desk.rows.findLastIndex((row) => row.index === desk.index && row.seat === seat);
  const fresh = { index: desk.index, turn: desk.turn, seat, seq, messages: [], thought: [], did: [], refused: [] };
  const old = desk.rows[place] ?? fresh;
  const changed = { ...old, ...change(old) };
  return { ...desk, rows: place < 0 ? [...desk.rows, changed] : desk.rows.with(place, changed) };
}

/** Return whether a report shows progress: another stage, more tokens, another retry, or a new decision. */
function progressed(last: PlayerThinking | null, next: PlayerThinking): boolean {
  return last === null || last.stage !== next.stage || last.tokens !== next.tokens || last.retries !== next.retries;
}

function sum(a: Usage, b: Usage): Usage {
  return {
    seconds: a.seconds + b.seconds,
    calls: a.calls + b.calls,
    retries: a.retries + b.retries,
    tokens_in: a.tokens_in + b.tokens_in,
    tokens_out: a.tokens_out + b.tokens_out,
    tokens_cached: a.tokens_cached + b.tokens_cached,
    tokens_cache_written: a.tokens_cache_written + b.tokens_cache_written,
    tokens_reasoning: a.tokens_reasoning + b.tokens_reasoning,
    dollars: b.dollars == null ? (a.dollars ?? null) : (a.dollars ?? 0) + b.dollars,
    estimated: a.estimated || b.estimated,
  };
}
