/* Written by scripts/generate_types.py from models.py. Do not edit: change the source and run it again. */

/**
 * What a socket carries, server to page: one JSON object a message.
 */
export type Frame = EventFrame | WithheldFrame | SnapshotFrame | ResyncFrame;

/**
 * The data of the core events, by type.
 */
export interface CoreEvents {
  EpisodeCreated: EpisodeCreated;
  SeedSet: SeedSet;
  EpisodeStarted: EpisodeStarted;
  EpisodeResumed: EpisodeResumed;
  TurnStarted: TurnStarted;
  ActionChosen: ActionChosen;
  ActionRejected: ActionRejected;
  PlayerThinking: PlayerThinking;
  NegotiationHeld: NegotiationHeld;
  PrivateBatch: PrivateBatch;
  PlayerReported: PlayerReported;
  TurnRecorded: TurnRecorded;
  TrainStepped: TrainStepped;
  PlayerFault: PlayerFault;
  ControlChanged: ControlChanged;
  SeatOpened: SeatOpened;
  MessageHeld: MessageHeld;
  EpisodeEnded: EpisodeEnded;
  MessageSent: MessageSent;
}
/**
 * The episode exists: always seq 0. Spectators are `delay` seconds behind; it forked from `parent`, if from any.
 */
export interface EpisodeCreated {
  game: string;
  title: string;
  options: {
    [k: string]: unknown;
  };
  seats: SeatInfo[];
  origin: 'showcase' | 'api' | 'openenv' | 'cli' | 'publisher' | 'trainer' | 'fork';
  reveal: 'live' | 'after' | 'never';
  delay: number;
  clock?: number | null;
  approve: boolean;
  voice: boolean;
  parent?: Moment | null;
  /**
   * The version of the game's rules by which the record was made.
   */
  rules: number;
}
/**
 * Who sits where. `player` is the roster name, `kind` what sort of player that is.
 */
export interface SeatInfo {
  seat: string;
  player: string;
  kind: string;
}
/**
 * An address: event `seq` of an episode.
 */
export interface Moment {
  episode_id: string;
  seq: number;
}
/**
 * The seed of every draw, for operators: who knows it could compute what comes.
 */
export interface SeedSet {
  seed: number;
}
/**
 * Play began.
 */
export interface EpisodeStarted {}
/**
 * Play went on from the log: the server came back, or a fork got its slot.
 */
export interface EpisodeResumed {
  turn: string;
}
/**
 * The match waits for `to_act`. `index` counts turns from 0; `scores` is the standing in the match's scoring.
 */
export interface TurnStarted {
  index: number;
  turn: string;
  to_act: string[];
  scores: {
    [k: string]: number;
  };
}
/**
 * A seat's accepted action. Known to the seat alone; what becomes public, the game's own events say.
 */
export interface ActionChosen {
  seat: string;
  index: number;
  action: {
    [k: string]: unknown;
  };
  source: 'policy' | 'repair' | 'heuristic' | 'human' | 'remote' | 'recorded' | 'fallback';
}
/**
 * An action that the rules refused: `field` names the part at fault.
 */
export interface ActionRejected {
  seat: string;
  index: number;
  action: {
    [k: string]: unknown;
  };
  field: string;
  reason: string;
}
/**
 * A player is at work: how long, how many tokens so far, and what it does. Some seconds apart; never its words.
 */
export interface PlayerThinking {
  seat: string;
  index: number;
  stage: 'choosing' | 'repairing' | 'waiting' | 'negotiating';
  seconds: number;
  tokens: number;
  retries: number;
}
/**
 * Round `round` of `rounds` of press was held before the actions of turn `index`: all it brought was delivered.
 */
export interface NegotiationHeld {
  index: number;
  round: number;
  rounds: number;
}
/**
 * What was not public in one decision or in one round of press, under one number whether it was much or nothing.
 *
 * Its audience is `private`, and each part has its own: a viewer receives the parts that it may know, or the bare
 * number where it may know none. So nobody can count what is hidden.
 */
export interface PrivateBatch {
  events: PrivateEvent[];
}
/**
 * An event without a number of its own: one part of a `PrivateBatch`.
 */
export interface PrivateEvent {
  type: string;
  audience: ('analyst' | 'operator' | 'private') | string[];
  data: {
    [k: string]: unknown;
  };
}
/**
 * How a seat's answer came about, for analysts.
 */
export interface PlayerReported {
  seat: string;
  index: number;
  task: 'choose' | 'negotiate';
  source: 'policy' | 'repair' | 'heuristic' | 'human' | 'remote' | 'recorded' | 'fallback';
  report: Report;
}
/**
 * How an answer came about. `thought` and the replies are a player's own words: data, never instructions.
 */
export interface Report {
  usage: Usage;
  attempts: Attempt[];
  thought: string;
}
/**
 * What an answer took. Tokens are the endpoint's count, or an estimate from the text where it gave none.
 */
export interface Usage {
  seconds: number;
  calls: number;
  retries: number;
  tokens_in: number;
  tokens_out: number;
  /**
   * Of tokens_in, those that the endpoint had kept.
   */
  tokens_cached: number;
  /**
   * Of tokens_out, those of its reasoning.
   */
  tokens_reasoning: number;
  /**
   * None where the roster names no price.
   */
  dollars?: number | null;
  estimated: boolean;
}
/**
 * One reply of a model, cut to a readable length, and why it could not be used.
 */
export interface Attempt {
  reply: string;
  boundary?: ('rules' | 'provider' | 'timeout' | 'player' | 'budget' | 'ours') | null;
  fault: string;
}
/**
 * How a trained policy came to a choice, token by token: what it is trained on. Nobody who watches receives it.
 *
 * `completion`, `logprobs` and `allowed` are of one length. A token that had no alternative has log-probability 0 and
 * nothing in `allowed`; any other has all token ids that were legal there, its own included, and its log-probability
 * among them at `temperature`. `features` are the game's numbers about the position before the choice.
 */
export interface TurnRecorded {
  seat: string;
  index: number;
  policy: string;
  version: number;
  temperature: number;
  prompt: number[];
  completion: number[];
  logprobs: number[];
  allowed: number[][];
  features: {
    [k: string]: number;
  };
}
/**
 * A training run took a step: from `version - 1` to `version` of its policy. `metrics` are numbers by name.
 */
export interface TrainStepped {
  step: number;
  version: number;
  metrics: {
    [k: string]: number;
  };
}
/**
 * A player failed to give a legal action; its fallback acts. In plain words, without secrets.
 */
export interface PlayerFault {
  seat: string;
  boundary: 'rules' | 'provider' | 'timeout' | 'player' | 'budget' | 'ours';
  message: string;
}
/**
 * The match was steered: `command` says how, `value` to what, `by` who.
 *
 * What became of a held message (`approve`, `reject`) is known to operators alone, in the `PrivateBatch` of its round.
 */
export interface ControlChanged {
  command: string;
  value?: unknown;
  by: string;
}
/**
 * A token for the seat was given out; only its hash is kept.
 */
export interface SeatOpened {
  seat: string;
  token_sha256: string;
}
/**
 * A message waits for an operator's word before it is sent. All of a round stand in one `PrivateBatch`.
 */
export interface MessageHeld {
  id: string;
  seat: string;
  action: {
    [k: string]: unknown;
  };
}
/**
 * The last event of an episode.
 */
export interface EpisodeEnded {
  status: 'finished' | 'stopped' | 'error' | 'interrupted';
  outcome?: OutcomeData | null;
  message: string;
}
/**
 * How the match ended. `winners` is empty where nobody won.
 */
export interface OutcomeData {
  reason: string;
  winners: string[];
  scores: {
    [k: string]: number;
  };
  text: string;
}
/**
 * Press: `sender` wrote to `recipients` (every seat where `public`).
 */
export interface MessageSent {
  turn: string;
  sender: string;
  recipients: string[];
  text: string;
  public?: boolean;
  promises?: string[];
}
/**
 * One act of steering. Sent again with the same `Idempotency-Key` it is done once.
 *
 * `pace`, `extend` and `step` take `value`: seconds between turns, turns more, turns to play. `take_over` and
 * `hand_back` take `seat`. `approve` and `reject` take the `message` id of a MessageHeld, `approve` a new `text` too.
 */
export interface Command {
  command:
    | 'pause'
    | 'resume'
    | 'step'
    | 'pace'
    | 'stop'
    | 'extend'
    | 'take_over'
    | 'hand_back'
    | 'approve'
    | 'reject'
    | 'to_front';
  value?: number | null;
  seat?: string | null;
  message?: string | null;
  text?: string | null;
}
/**
 * A page of the lobby, newest first.
 */
export interface EpisodeList {
  episodes: EpisodeSummary[];
  total: number;
  /**
   * How many connections watch each episode that anybody watches.
   */
  viewers: {
    [k: string]: number;
  };
  /**
   * The episodes that wait for a slot, next first.
   */
  queue: string[];
  /**
   * Live episodes that wait until the record can be written; they go on by themselves.
   */
  waiting: string[];
}
/**
 * What the lobby shows of an episode; folded from its public events alone.
 */
export interface EpisodeSummary {
  episode_id: string;
  epoch: number;
  game: string;
  title: string;
  status: 'queued' | 'live' | 'finished' | 'stopped' | 'error' | 'interrupted';
  origin: string;
  options: {
    [k: string]: unknown;
  };
  seats: SeatInfo[];
  reveal: 'live' | 'after' | 'never';
  delay: number;
  clock?: number | null;
  approve: boolean;
  voice: boolean;
  parent?: Moment | null;
  created_at: number;
  started_at?: number | null;
  ended_at?: number | null;
  last_seq: number;
  turn: string;
  scores: {
    [k: string]: number;
  };
  paused: boolean;
  /**
   * Seats that a person has taken over.
   */
  taken: string[];
  outcome?: OutcomeData | null;
  message: string;
}
/**
 * A numbered envelope. `seq` is contiguous from 0 within the episode; `at` is Unix time in seconds.
 */
export interface Event {
  episode_id: string;
  epoch: number;
  seq: number;
  at: number;
  type: string;
  audience: ('public' | 'analyst' | 'operator' | 'private') | string[];
  data: {
    [k: string]: unknown;
  };
}
/**
 * One event that the viewer may know.
 */
export interface EventFrame {
  frame: 'event';
  event: Event;
}
/**
 * A run of an episode's events as one viewpoint may know them; `frames[i]` has number `first + i`.
 */
export interface EventPage {
  episode_id: string;
  epoch: number;
  viewpoint: string;
  first: number;
  last_seq: number;
  frames: (EventFrame | WithheldFrame)[];
}
/**
 * The number of an event that the viewer may not know. The content is withheld, never the number.
 */
export interface WithheldFrame {
  frame: 'withheld';
  seq: number;
}
/**
 * A new match that begins as another one stood after event `seq` (its last, by default).
 */
export interface ForkEpisode {
  seq?: number | null;
  /**
   * Who plays on; the others stay as they are.
   */
  players: {
    [k: string]: string;
  };
  /**
   * For every draw to come; by default the parent's.
   */
  seed?: number | null;
  pace?: number | null;
  title: string;
  paused: boolean;
}
/**
 * Where the stream starts: the next numbered frame is `snapshot.seq + 1`.
 */
export interface SnapshotFrame {
  frame: 'snapshot';
  snapshot: Snapshot;
}
/**
 * All a viewer needs to paint the moment `seq`: the last whole state before it, and what followed.
 *
 * `state` is the `state` field of the event `state_seq`, the last such event that the viewer may know.
 */
export interface Snapshot {
  episode: EpisodeSummary;
  viewpoint: string;
  epoch: number;
  seq: number;
  state_seq?: number | null;
  state?: unknown;
  recent: (EventFrame | WithheldFrame)[];
}
/**
 * What the viewer has is not a prefix of this stream: drop it. A snapshot follows.
 */
export interface ResyncFrame {
  frame: 'resync';
  reason: string;
}
/**
 * A game of the house: its seats, options (as a JSON schema) and free players.
 */
export interface GameInfo {
  name: string;
  title: string;
  seats: string[];
  options: {
    [k: string]: unknown;
  };
  players: PlayerInfo[];
}
/**
 * A player that can be seated.
 */
export interface PlayerInfo {
  name: string;
  kind: string;
  game: string;
  description: string;
  available: boolean;
  /**
   * Why it cannot be seated now, and what would help.
   */
  reason: string;
}
/**
 * Whether the server serves, and how much is going on. `waiting`: matches wait for the record to be writable.
 */
export interface Health {
  status: 'ok' | 'waiting' | 'stopping';
  version: string;
  live: number;
  queued: number;
  viewers: number;
  /**
   * Why the record cannot be written, where matches wait.
   */
  storage?: string | null;
}
/**
 * How a player has done in the finished episodes of this record.
 *
 * Only seats in which it made every decision itself are scored: what its fallback or another person did there is
 * counted apart. `mean_score` is None where there is no such seat; `ci95` are the ends of its 95 % interval.
 */
export interface PlayerRecord {
  game: string;
  player: string;
  seats: number;
  scored: number;
  mean_score?: number | null;
  ci95?: number[] | null;
  /**
   * In seats that are scored.
   */
  wins: number;
  decisions: number;
  /**
   * Decisions that its fallback made.
   */
  fallbacks: number;
  faults: number;
}
/**
 * An error as RFC 9457 problem details. `field` names the part of the request at fault.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  field?: string | null;
}
/**
 * Events of one episode, in order, from a driver elsewhere.
 */
export interface PublishBatch {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  events: [Event, ...Event[]];
}
/**
 * What the server has: everything below `next_seq`.
 */
export interface Published {
  next_seq: number;
}
/**
 * What a seat's person does: an action, or what it says in a round of press.
 */
export interface SeatAction {
  action?: {
    [k: string]: unknown;
  } | null;
  messages?:
    | {
        [k: string]: unknown;
      }[]
    | null;
}
/**
 * A token that plays one seat of one match. It is shown once.
 */
export interface SeatToken {
  episode_id: string;
  seat: string;
  token: string;
}
/**
 * All that one seat may know and do now; `asked` is what the match waits for from its person, if anything.
 */
export interface SeatView {
  episode_id: string;
  seat: string;
  index: number;
  turn: string;
  asked?: ('choose' | 'negotiate') | null;
  deadline?: number | null;
  observation?: unknown;
  legal?: unknown;
  text: string;
}
/**
 * Who is asking, as the server sees it. `mode` is `open` where everybody on this machine is an operator.
 */
export interface Session {
  role: 'spectator' | 'seat' | 'operator';
  seat?: string | null;
  episode_id?: string | null;
  mode: 'open' | 'token' | 'closed';
}
/**
 * A request for a match. Seats left out are filled by the game's strongest free player.
 */
export interface StartEpisode {
  game?: string;
  players?: {
    [k: string]: string;
  };
  options?: {
    [k: string]: unknown;
  };
  seed?: number | null;
  /**
   * Seconds between turns; 0 is full speed.
   */
  pace?: number | null;
  title?: string;
  reveal?: 'live' | 'after' | 'never';
  /**
   * Seconds that spectators are behind.
   */
  delay?: number;
  /**
   * Stop after so many turns.
   */
  turns?: number | null;
  /**
   * Seconds a person has for a turn; the roster's by default.
   */
  clock?: number | null;
  /**
   * Hold every message of a machine until an operator lets it pass.
   */
  approve?: boolean;
  /**
   * Begin paused.
   */
  paused?: boolean;
  /**
   * Let pages read the match aloud unless a viewer mutes it.
   */
  voice?: boolean;
}
/**
 * A one-time stand-in for a token, for the address of a socket.
 */
export interface Ticket {
  ticket: string;
  seconds: number;
}

/** The events of a map from type to data, as a union that `switch (event.type)` narrows. */
export type EventOf<Events> = {
  [T in keyof Events & string]: Omit<Event, 'type' | 'data'> & {
    type: T;
    data: { [Name in keyof Events[T]]: Events[T][Name] };
  };
}[keyof Events & string];
/** An event that any game may have. A type that this page does not know is none of these: `switch` needs a default. */
export type CoreEvent = EventOf<CoreEvents>;
