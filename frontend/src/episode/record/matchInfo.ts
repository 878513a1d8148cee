/** The state of a moment that is common to all games: seats to act, scores, status and outcome. */

import type {
  ActionRequested,
  CoreEvent,
  CoreEvents,
  EpisodeSummary,
  Event,
  OutcomeData,
  PlayerThinking,
} from '../../types.gen';

export interface MatchInfo {
  readonly status: EpisodeSummary['status'];
  readonly turn: string;
  /** The number of the event that began the turn. */
  readonly turnSeq: number;
  readonly toAct: readonly string[];
  /** The last progress report of each seat in this turn. */
  readonly thinking: Readonly<Record<string, PlayerThinking>>;
  readonly scores: Readonly<Record<string, number>>;
  readonly outcome: OutcomeData | null;
  readonly message: string;
  readonly paused: boolean;
  /** Seats that a human player has taken over. */
  readonly taken: readonly string[];
  /** Seats whose person has left, so that a built-in player acts. */
  readonly left: readonly string[];
  /** The last request to each person whom the match waits for in this turn. */
  readonly requests: Readonly<Record<string, ActionRequested>>;
  /** Time of the last event that this viewer may know, in Unix seconds. */
  readonly at: number;
}

/** Return the state before the first event of `episode`. */
export function before(episode: EpisodeSummary): MatchInfo {
  return {
    status: 'queued',
    turn: '',
    turnSeq: 0,
    toAct: [],
    thinking: {},
    scores: {},
    outcome: null,
    message: '',
    paused: false,
    taken: [],
    left: [],
    requests: {},
    at: episode.created_at,
  };
}

/** Return the state that a snapshot's summary describes. */
export function fromSummary(episode: EpisodeSummary): MatchInfo {
  return {
    ...before(episode),
    status: episode.status,
    turn: episode.turn,
    scores: episode.scores,
    outcome: episode.outcome ?? null,
    message: episode.message,
    paused: episode.paused ?? false,
    taken: episode.taken ?? [],
    left: episode.left ?? [],
    at: episode.ended_at ?? episode.started_at ?? episode.created_at,
  };
}

/** Return the data of `event` if it is a core event of type `type`, else null. */
export function coreData<T extends keyof CoreEvents>(event: Event, type: T): CoreEvents[T] | null {
  return event.type === type ? (event as Event & { data: CoreEvents[T] }).data : null;
}

/** Return the state after `event`. Events other than core events only advance the time. */
export function step(shell: MatchInfo, raw: Event): MatchInfo {
  const event = raw as CoreEvent;
  const at = event.at;
  switch (event.type) {
    case 'EpisodeStarted':
      return { ...shell, at, status: 'live' };
    case 'TurnStarted': {
      const { turn, to_act: toAct, scores } = event.data;
      return { ...shell, at, turn, toAct, thinking: {}, requests: {}, scores, turnSeq: event.seq };
    }
    case 'PlayerThinking': {
      const thinking = event.data;
      return { ...shell, at, thinking: { ...shell.thinking, [thinking.seat]: thinking } };
    }
    case 'ActionRequested':
      return { ...shell, at, requests: { ...shell.requests, [event.data.seat]: event.data } };
    case 'NegotiationHeld':
      return { ...shell, at, requests: {} };
    case 'ControlChanged':
      return { ...shell, at, ...steered(shell, event.data) };
    case 'EpisodeEnded': {
      const { status, outcome, message } = event.data;
      const scores = outcome?.scores ?? shell.scores;
      return { ...shell, at, status, outcome: outcome ?? null, message, scores, toAct: [], thinking: {}, requests: {} };
    }
    default:
      return { ...shell, at };
  }
}

/**
 * Return the fields that a change of control sets. A fork has earlier events, but waits for a slot like any other
 * match.
 */
function steered(shell: MatchInfo, { command, value }: CoreEvents['ControlChanged']): Partial<MatchInfo> {
  const { taken, left, requests } = shell;
  const without = (seats: readonly string[]): string[] => seats.filter((seat) => seat !== value);
  switch (command) {
    case 'pause':
    case 'resume':
      return { paused: command === 'pause' };
    case 'take_over':
      return left.includes(String(value)) ? { left: without(left) } : { taken: [...without(taken), String(value)] };
    case 'hand_back':
    case 'leave': {
      const began = command === 'leave' && !taken.includes(String(value));
      const asked = Object.fromEntries(Object.entries(requests).filter(([seat]) => seat !== value));
      return { taken: without(taken), requests: asked, ...(began ? { left: [...without(left), String(value)] } : {}) };
    }
    case 'fork':
      return { status: 'queued' };
    default:
      return {};
  }
}
