/** Events as plain sentences, for the log and for screen readers. */

import { MATCH, type Game, type Told } from '../../boards/game';
import { capital, plain } from '../../lib/text';
import { listed } from '../../lib/say';
import type { CoreEvents, Event } from '../../types.gen';
import { cause } from '../show/boundaries';
import { STORY_TYPES } from '../show/parts';
import { coreData } from '../record/matchInfo';

const MESSAGE = 160;

/** The core events that have a sentence here. Campaigns describe their own. */
type NarratedEvents = Omit<
  CoreEvents,
  | 'LeagueRated'
  | 'PairingsDrawn'
  | 'PairingBegan'
  | 'PairingPlayed'
  | 'StandingsUpdated'
  | 'ExperimentPlanned'
  | 'ExperimentRunChanged'
  | 'ExperimentAnalysed'
  | 'ReportUpdated'
>;

type Tell = {
  [T in keyof NarratedEvents]: (data: NarratedEvents[T], seat: (id: string) => string, terms: Terms) => string;
};

interface Terms {
  noun: string;
  words(text: string): string;
}

const ENDINGS: Record<string, string> = {
  stopped: 'was stopped',
  error: 'was broken off by an error',
  interrupted: 'was interrupted',
};

const VOICES: Record<CoreEvents['VoiceChanged']['kind'], string> = {
  clips: 'The server reads the match aloud',
  browser: 'The browser reads the match aloud',
  silent: 'The match is not read aloud',
};

const SENTENCES: Tell = {
  EpisodeCreated: (data) => `${plain(data.title, 120)} was set up`,
  SeedSet: (data) => `The seed is ${data.seed}`,
  EpisodeStarted: ({ resumed }, _, { noun }) => {
    if (typeof resumed !== 'string') return noun === MATCH.noun ? 'Play began' : `The ${noun} began`; // older: absent
    return noun === MATCH.noun ? 'Play resumed from the log' : `The ${noun} resumed from ${plain(resumed, 40)}`;
  },
  TurnStarted: () => '',
  ActionChosen: (data, seat) =>
    data.source === 'fallback' ? `${seat(data.seat)} acted by its fallback` : `${seat(data.seat)} chose`,
  ActionRejected: (data, seat, { words }) =>
    `The rules refused ${seat(data.seat)}'s action: ${plain(words(data.reason), MESSAGE)}`,
  PlayerThinking: () => '',
  ActionRequested: () => '',
  PrivateBatch: () => '',
  NegotiationHeld: (data) => `Press, round ${data.round} of ${data.rounds}`,
  PlayerReported: (data, seat) =>
    data.report.thought ? `${seat(data.seat)} thought: ${plain(data.report.thought, 400)}` : '',
  TurnRecorded: () => '',
  PlayerFault: (data, seat) =>
    `${seat(data.seat)}'s player failed (${cause(data.boundary) ?? 'unknown'}): ${plain(data.message, MESSAGE)}`,
  ControlChanged: (data, seat, { noun }) => steered(data, seat, noun),
  SeatOpened: (data, seat) => `${seat(data.seat)}'s seat was opened to an external player`,
  FactNoted: (data) => plain(data.text, 300),
  CommentAdded: (data) => plain(data.text, 300),
  CommentatorFault: (data) => `The commentator's model failed: ${plain(data.message, MESSAGE)}`,
  CommentatorReported: () => '',
  OutlookUpdated: (data) => plain(data.headline, 300),
  VoiceReady: () => '',
  VoiceChanged: ({ kind, reason }) => `${VOICES[kind]}${reason && `: ${plain(reason, MESSAGE)}`}`,
  MessageHeld: (data, seat) => `A message of ${seat(data.seat)} waits for an operator's approval`,
  EpisodeEnded: (data, _, { noun, words }) =>
    plain(words(data.outcome?.text || '') || data.message || `The ${noun} ${ENDINGS[data.status] ?? 'ended'}`, 300),
  MessageSent: (data, seat) =>
    `${seat(data.sender)} to ${data.public ? 'all' : listed(data.recipients.map(seat))}: ${plain(data.text, MESSAGE)}`,
};

/** Return a sentence about a change of control: `An operator took over Austria`. */
function steered({ by, command, value }: CoreEvents['ControlChanged'], seat: (id: string) => string, noun: string) {
  const who = by === 'operator' ? 'An operator' : capital(plain(by, 40));
  const name = (): string => seat(String(value));
  const sentences: Record<string, () => string> = {
    pause: () => `${who} paused the ${noun}`,
    resume: () => `${who} resumed the ${noun}`,
    step: () => `${who} advanced it by ${value === 1 ? 'one turn' : `${plain(String(value), 12)} turns`}`,
    stop: () => `${who} stopped the ${noun}`,
    to_front: () => `${who} moved the ${noun} to the front of the queue`,
    pace: () => `${who} set the pace to ${Number(value) ? `${plain(String(value), 12)} s a turn` : 'full speed'}`,
    slots: () => `${value === 1 ? 'One match is' : `${plain(String(value), 12)} matches are`} played at a time`,
    turns: () => `The ${noun} is to stop after ${plain(String(value), 12)} turns`,
    extend: () => `${who} extended the ${noun} to ${plain(String(value), 12)} turns`,
    take_over: () => (by === 'player' ? `${name()}'s player is back` : `${who} took over ${name()}`),
    leave: () =>
      by === 'absence'
        ? `${name()} missed two turns, so a bot plays on`
        : by === 'player'
          ? `${name()}'s player left, and a bot plays on`
          : `${who} let a bot play on for ${name()}`,
    hand_back: () => `${who} handed ${name()} back to its player`,
    fork: () => `${who} forked this ${noun} from ${plain(String(value), 60)}`,
    approve: () => `${who} approved a message`,
    reject: () => `${who} held back a message`,
  };
  const words = value == null || typeof value === 'object' ? '' : ` ${plain(String(value), 60)}`;
  return sentences[command]?.() ?? `${who}: ${plain(command, 40).replaceAll('_', ' ')}${words}`;
}

/** An event of one of the types `T`, in a form that lets `SENTENCES[event.type]` accept its data. */
type NarratedEvent<T extends keyof NarratedEvents = keyof NarratedEvents> = {
  [K in T]: Event & { type: K; data: NarratedEvents[K] };
}[T];

const isNarrated = (event: Event): event is NarratedEvent => Object.hasOwn(SENTENCES, event.type);

function sentence<T extends keyof NarratedEvents>(
  { type, data }: NarratedEvent<T>,
  seat: (id: string) => string,
  terms: Terms,
): string {
  return SENTENCES[type](data, seat, terms);
}

/** Return what `event` tells: core events have a sentence here. `before` is the game's state before the event. */
export function narrate<S>(game: Game<S>, event: Event, before: S): Told {
  const step = !STORY_TYPES.has(event.type);
  try {
    const told = game.tell(event, before);
    return { ...told, text: textOf(game, event, before) ?? told.text, step: step && told.step };
  } catch {
    return { text: `${event.type}, which this page cannot display`, step, marks: [] };
  }
}

/** Return the sentence of a core event, or null if the game words it. */
function textOf<S>({ names: namesOf, terms }: Game<S>, event: Event, before: S): string | null {
  const names = namesOf(before);
  const turn = coreData(event, 'TurnStarted');
  if (turn) return names.turn(turn.turn).title;
  if (!isNarrated(event)) return null;
  return sentence(event, (id) => names.seat(id).name, { noun: terms.noun, words: names.words });
}
