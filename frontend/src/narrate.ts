/** What an event means, in one plain sentence: the log's lines and what a screen reader is told. */

import type { Board } from './boards/board';
import { plain } from './lib/text';
import type { Event, HouseEvents } from './types.gen';

const MESSAGE = 160;

/** What most boards show. */
export const MATCH = { noun: 'match', before: 'Before play' };

/** What a training run's steps mean, its board says. */
type Told = Omit<HouseEvents, 'TrainStepped'>;

type Tell = { [T in keyof Told]: (data: Told[T], seat: (id: string) => string, terms: Terms) => string };

type Terms = NonNullable<Board['terms']> & { words: (text: string) => string };

const FAULTS: Record<string, string> = {
  rules: 'against the rules',
  provider: "its model's provider failed",
  timeout: 'out of time',
  player: 'its answer could not be used',
  budget: 'its budget is spent',
  ours: 'an error of ours',
};

const ENDINGS: Record<string, string> = {
  stopped: 'was stopped',
  error: 'was broken off by an error',
  interrupted: 'was interrupted',
};

const STEERING: Record<string, (value: string, seat: string) => string> = {
  pause: () => 'Play was paused',
  resume: () => 'Play went on',
  step: (value) => `Play went on for ${value === '1' || !value ? 'one turn' : `${value} turns`}`,
  pace: (value) =>
    Number(value) ? `The pace is ${value} ${value === '1' ? 'second' : 'seconds'} a turn` : 'The pace is full speed',
  stop: () => 'The match was stopped',
  extend: (value) => `The match was extended: it stops after ${value} turns`,
  turns: (value) => `The match stops after ${value} turns`,
  take_over: (_, seat) => `A person took over ${seat}`,
  hand_back: (_, seat) => `${seat} was handed back to its player`,
  approve: () => 'A message was let pass',
  reject: () => 'A message was held back',
  to_front: () => 'The match was moved to the front of the queue',
  fork: () => 'The match was forked from another one',
};

/** A command in words; one that is not known here stands as it is, without underscores. */
function steered(command: string, value: unknown, seat: (id: string) => string): string {
  const text = value == null || typeof value === 'object' ? '' : plain(String(value), 60);
  const tell = Object.hasOwn(STEERING, command) ? STEERING[command] : undefined;
  return tell ? tell(text, seat(text)) : `${plain(command.replaceAll('_', ' '), 40)} ${text}`.trim();
}

const listed = new Intl.ListFormat('en');

const HOUSE: Tell = {
  EpisodeCreated: (data) => `${plain(data.title, 120)} was set up`,
  SeedSet: (data) => `The seed is ${data.seed}`,
  EpisodeStarted: (_, __, { noun }) => (noun === MATCH.noun ? 'Play began' : `The ${noun} began`),
  EpisodeResumed: (data, _, { noun }) =>
    noun === MATCH.noun ? 'The server came back and play went on' : `The ${noun} went on from ${plain(data.turn, 40)}`,
  TurnStarted: () => '',
  ActionChosen: (data, seat) =>
    data.source === 'fallback' ? `${seat(data.seat)} acted by its fallback` : `${seat(data.seat)} chose`,
  ActionRejected: (data, seat, { words }) =>
    `The rules refused ${seat(data.seat)}'s action: ${plain(words(data.reason), MESSAGE)}`,
  PlayerThinking: () => '',
  NegotiationHeld: (data) => `Press, round ${data.round} of ${data.rounds}`,
  PlayerReported: (data, seat) =>
    data.report.thought ? `${seat(data.seat)} thought: ${plain(data.report.thought, 400)}` : '',
  TurnRecorded: () => '',
  PlayerFault: (data, seat) =>
    `${seat(data.seat)}'s player failed (${FAULTS[data.boundary] ?? 'unknown'}): ${plain(data.message, MESSAGE)}`,
  ControlChanged: ({ by, command, value }, seat) => `${steered(command, value, seat)} (by ${plain(by, 40)})`,
  SeatOpened: (data, seat) => `${seat(data.seat)}'s seat was opened to a player from outside`,
  MessageHeld: (data, seat) => `A message of ${seat(data.seat)} waits for an operator's word`,
  EpisodeEnded: (data, _, { noun, words }) =>
    plain(words(data.outcome?.text || '') || data.message || `The ${noun} ${ENDINGS[data.status] ?? 'ended'}`, 300),
  MessageSent: (data, seat) =>
    `${seat(data.sender)} to ${data.public ? 'all' : listed.format(data.recipients.map(seat))}: ${plain(data.text, MESSAGE)}`,
};

/** `before` is the board's state before `event`. '' where there is nothing to tell. */
export function narrate<S>(board: Board<S>, event: Event, before: S): string {
  const seat = (id: string): string => board.seat(id, before).name;
  try {
    if (event.type === 'TurnStarted')
      return board.turn((event.data as unknown as HouseEvents['TurnStarted']).turn).title;
    const tell = (HOUSE as unknown as Record<string, Tell['EpisodeCreated']>)[event.type];
    if (!tell) return board.describe(event, before);
    const words = (text: string): string => board.words?.(text) ?? text;
    return tell(event.data as unknown as HouseEvents['EpisodeCreated'], seat, { ...(board.terms ?? MATCH), words });
  } catch {
    return `${event.type}, which this page cannot read`;
  }
}
