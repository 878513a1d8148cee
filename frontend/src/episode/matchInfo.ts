/** The state of a moment that is common to all games: seats to act, scores, status and outcome. */

import type { CoreEvent, CoreEvents, EpisodeSummary, Event, OutcomeData, PlayerThinking } from '../types.gen';

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
    case 'EpisodeResumed':
      return { ...shell, at, status: 'live' };
    case 'TurnStarted': {
      const { turn, to_act: toAct, scores } = event.data;
      return { ...shell, at, turn, toAct, thinking: {}, scores, turnSeq: event.seq };
    }
    case 'TrainStepped': {
      const { step } = event.data;
      return { ...shell, at, turn: String(step), turnSeq: event.seq };
    }
    case 'PlayerThinking': {
      const thinking = event.data;
      return { ...shell, at, thinking: { ...shell.thinking, [thinking.seat]: thinking } };
    }
    case 'ControlChanged':
      return { ...shell, at, ...steered(shell, event.data) };
    case 'EpisodeEnded': {
      const { status, outcome, message } = event.data;
      const scores = outcome?.scores ?? shell.scores;
      return { ...shell, at, status, outcome: outcome ?? null, message, scores, toAct: [], thinking: {} };
    }
    default:
      return { ...shell, at };
  }
}

/**
 * Return the fields that a change of control sets. A fork has earlier events, but waits for a slot like any other
 * match.
 */
function steered({ taken }: MatchInfo, { command, value }: CoreEvents['ControlChanged']): Partial<MatchInfo> {
  switch (command) {
    case 'pause':
    case 'resume':
      return { paused: command === 'pause' };
    case 'take_over':
      return { taken: [...taken.filter((seat) => seat !== value), String(value)] };
    case 'hand_back':
      return { taken: taken.filter((seat) => seat !== value) };
    case 'fork':
      return { status: 'queued' };
    default:
      return {};
  }
}
