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

type Terms = NonNullable<Board['terms']>;

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
  ActionRejected: (data, seat) => `The rules refused ${seat(data.seat)}'s action: ${plain(data.reason, MESSAGE)}`,
  PlayerThinking: () => '',
  PrivateBatch: () => '',
  NegotiationHeld: (data) => `Press, round ${data.round} of ${data.rounds}`,
  PlayerReported: (data, seat) =>
    data.report.thought ? `${seat(data.seat)} thought: ${plain(data.report.thought, 400)}` : '',
  TurnRecorded: () => '',
  PlayerFault: (data, seat) => `${seat(data.seat)}'s player failed (${data.boundary}): ${plain(data.message, MESSAGE)}`,
  ControlChanged: (data) =>
    `${plain(data.by, 40)}: ${plain(data.command, 40)}${data.value == null ? '' : ` ${plain(String(data.value), 60)}`}`,
  SeatOpened: (data, seat) => `${seat(data.seat)}'s seat was opened to a player from outside`,
  MessageHeld: (data, seat) => `A message of ${seat(data.seat)} waits for an operator's word`,
  EpisodeEnded: (data, _, { noun }) =>
    plain(data.outcome?.text || data.message || `The ${noun} ended (${data.status})`, 300),
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
    return tell(event.data as unknown as HouseEvents['EpisodeCreated'], seat, board.terms ?? MATCH);
  } catch {
    return `${event.type}, which this page cannot read`;
  }
}
