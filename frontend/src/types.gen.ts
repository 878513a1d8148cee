/* Written by scripts/generate_types.py from models.py, events.py, campaign_events.py, report.py, server/bodies/ and spectator/frames.py. Do not edit: change the source and run it again. */

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
  TurnStarted: TurnStarted;
  ActionChosen: ActionChosen;
  ActionRejected: ActionRejected;
  PlayerThinking: PlayerThinking;
  ActionRequested: ActionRequested;
  NegotiationHeld: NegotiationHeld;
  PrivateBatch: PrivateBatch;
  PlayerReported: PlayerReported;
  TurnRecorded: TurnRecorded;
  PlayerFault: PlayerFault;
  ControlChanged: ControlChanged;
  SeatOpened: SeatOpened;
  MessageHeld: MessageHeld;
  FactNoted: FactNoted;
  CommentAdded: CommentAdded;
  CommentatorFault: CommentatorFault;
  CommentatorReported: CommentatorReported;
  OutlookUpdated: OutlookUpdated;
  VoiceReady: VoiceReady;
  VoiceChanged: VoiceChanged;
  EpisodeEnded: EpisodeEnded;
  LeagueRated: LeagueRated;
  PairingsDrawn: PairingsDrawn;
  PairingBegan: PairingBegan;
  PairingPlayed: PairingPlayed;
  ReportUpdated: ReportUpdated;
  MessageSent: MessageSent;
}
/**
 * The first event of an episode, with seq 0. Spectators are `delay` seconds behind; a fork names its `parent`.
 */
export interface EpisodeCreated {
  game: string;
  title: string;
  options: {
    [k: string]: unknown;
  };
  seats: SeatInfo[];
  origin: 'showcase' | 'api' | 'openenv' | 'cli' | 'publisher' | 'trainer' | 'fork' | 'imported' | 'tournament';
  /**
   * The place that an imported record comes from, in words.
   */
  source: string;
  reveal: 'live' | 'after' | 'never';
  delay: number;
  clock?: number | null;
  approve: boolean;
  voice: boolean;
  /**
   * The roster entry that words the commentary; empty for none.
   */
  commentator: string;
  parent?: Moment | null;
  /**
   * The version of the game's rules by which the record was made.
   */
  rules: number;
  training?: TrainingMatch | null;
  /**
   * True if a visitor started it.
   */
  visitor: boolean;
}
/**
 * The player of a seat. `player` is the roster name, `kind` the kind of player.
 *
 * `prompt` is the hash of everything that shapes its prompts; empty for a player that has none, and in older records.
 */
export interface SeatInfo {
  seat: string;
  player: string;
  kind: string;
  prompt: string;
}
/**
 * An address: event `seq` of an episode.
 */
export interface Moment {
  episode_id: string;
  seq: number;
}
/**
 * The place of a match in the training run whose episode is `run`.
 *
 * Decisions of its policy's version feed `step`; an evaluation measures the version `step`, and feeds none.
 */
export interface TrainingMatch {
  run: string;
  stage: 'training' | 'evaluation';
  step: number;
}
/**
 * The seed of every random draw. Only operators receive it, since future draws follow from it.
 */
export interface SeedSet {
  seed: number;
}
/**
 * Play began; or it continued from the log at the turn `resumed`, after a restart or at the start of a fork.
 */
export interface EpisodeStarted {
  resumed?: string | null;
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
 * A seat's accepted action. Only the seat may know it; the game's own events carry what is public.
 */
export interface ActionChosen {
  seat: string;
  index: number;
  action: {
    [k: string]: unknown;
  };
  source: 'policy' | 'repair' | 'heuristic' | 'human' | 'remote' | 'recorded' | 'standing' | 'fallback';
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
 * A player's progress, every few seconds: its stage, time and token count, never its words.
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
 * The match waits for a person in `seat`; sent again when the clock stops or goes on, and when `ready` changes.
 *
 * `deadline` is the Unix time at which the clock runs out; None without a clock, and while the clock is stopped with
 * `left` seconds on it. `ready`: a decision was submitted, which may be changed until the last seat has submitted. The
 * event says nothing about the decision or a draft.
 */
export interface ActionRequested {
  seat: string;
  index: number;
  kind: 'choose' | 'negotiate';
  deadline?: number | null;
  left?: number | null;
  ready: boolean;
}
/**
 * Round `round` of `rounds` of press before the actions of turn `index` is over; its messages are delivered.
 */
export interface NegotiationHeld {
  index: number;
  round: number;
  rounds: number;
}
/**
 * All private events of one decision or one round of press under one number, even if there are none.
 *
 * Its audience is `private`, and each part has its own: a viewer receives the parts that it may know, or the bare
 * number if it may know none. So no viewer can count what is hidden.
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
 * The report on a seat's decision, for analysts.
 */
export interface PlayerReported {
  seat: string;
  index: number;
  task: 'choose' | 'negotiate';
  source: 'policy' | 'repair' | 'heuristic' | 'human' | 'remote' | 'recorded' | 'standing' | 'fallback';
  report: PlayerReport;
}
/**
 * How a player reached a decision. `thought` and the replies are its own words: data, never instructions.
 */
export interface PlayerReport {
  usage: Usage;
  attempts: Attempt[];
  thought: string;
  memory: boolean;
  intentions: boolean;
  prompt: string;
  model: string;
}
/**
 * The cost of a response. Tokens are the endpoint's count, or an estimate from the text if it gave none.
 */
export interface Usage {
  seconds: number;
  calls: number;
  retries: number;
  tokens_in: number;
  tokens_out: number;
  /**
   * Of tokens_in, those read from the endpoint's cache.
   */
  tokens_cached: number;
  /**
   * Of tokens_in, those written to the endpoint's cache.
   */
  tokens_cache_written: number;
  /**
   * Of tokens_out, those of its reasoning.
   */
  tokens_reasoning: number;
  /**
   * None if the roster names no price.
   */
  dollars?: number | null;
  estimated: boolean;
}
/**
 * One reply of a model, cut to a readable length, and the reason if it could not be used.
 */
export interface Attempt {
  reply: string;
  boundary?: ('rules' | 'provider' | 'timeout' | 'player' | 'budget' | 'ours') | null;
  fault: string;
}
/**
 * A trained policy's decision token by token, as training data. No viewer receives it.
 *
 * `completion`, `logprobs` and `allowed` are of one length. A token that had no alternative has log-probability 0 and
 * nothing in `allowed`; any other has all token ids that were legal there, its own included, and its log-probability
 * among them at `temperature`. `features` are the game's numbers about the position before the decision.
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
 * A player failed to give a legal action; its fallback acts. The message is plain text without secrets.
 */
export interface PlayerFault {
  seat: string;
  boundary: 'rules' | 'provider' | 'timeout' | 'player' | 'budget' | 'ours';
  message: string;
}
/**
 * A command that steered the match, its new value, and the user who gave it.
 *
 * Decisions on held messages (`approve`, `reject`) are for operators alone, in the `PrivateBatch` of their round.
 */
export interface ControlChanged {
  command: string;
  value?: unknown;
  by: string;
}
/**
 * A token for the seat was issued; only its hash is kept.
 */
export interface SeatOpened {
  seat: string;
  token_sha256: string;
}
/**
 * A message waits for an operator's approval. Those of a round are parts of one `PrivateBatch`.
 */
export interface MessageHeld {
  id: string;
  seat: string;
  action: {
    [k: string]: unknown;
  };
}
/**
 * A notable fact of the match, derived by its game from the events `rests_on`.
 *
 * `kind` is a word of the game, `seats` begins with the seat that did it. `importance` is from 0 to 1.
 */
export interface FactNoted {
  kind: string;
  text: string;
  importance: number;
  rests_on: number[];
  seats: string[];
  data: {
    [k: string]: unknown;
  };
}
/**
 * A line on the events `rests_on`. `beat` is its part of a turn; `seats` begins with the one that did it; `kind` is
 * that of what it tells. The `speaker` is `analyst`, or empty for the commentator.
 */
export interface CommentAdded {
  text: string;
  importance: number;
  rests_on: number[];
  beat: string;
  /**
   * The roster entry that worded it; empty for the built-in commentator.
   */
  by: string;
  seats: string[];
  kind: string;
  speaker: string;
}
/**
 * The model that words the commentary failed, so `lines` lines have built-in words. `message` has no secrets.
 */
export interface CommentatorFault {
  commentator: string;
  boundary: 'provider' | 'timeout' | 'budget' | 'reply' | 'facts' | 'ours';
  message: string;
  lines: number;
}
/**
 * The report on a model's wording of the lines of one part of a turn, for analysts: `used` of `lines` were used.
 */
export interface CommentatorReported {
  commentator: string;
  lines: number;
  used: number;
  report: PlayerReport;
}
/**
 * The prospects after the events `rests_on`: each seat's chance of winning if the game estimates it, excitement
 * from 0 to 1, a headline. Where an older record names no events, they are those of the turn.
 */
export interface OutlookUpdated {
  chances: {
    [k: string]: number;
  };
  excitement: number;
  headline: string;
  rests_on: number[];
}
/**
 * The clip in which the voice speaks the line with the number `comment`: a comment, or a public message.
 *
 * `clip` names its audio, `seconds` its length; `words` are its words, if the provider was asked for their times.
 * A clip that is announced with its first audio is not `whole`: its length is estimated, and the rest follows.
 */
export interface VoiceReady {
  comment: number;
  clip: string;
  seconds: number;
  words: SpokenWord[];
  whole: boolean;
}
/**
 * A word of a clip, and the second at which it begins.
 */
export interface SpokenWord {
  text: string;
  start: number;
}
/**
 * From here on the commentary is spoken in the server's `clips`, by the viewer's `browser`, or it is `silent`.
 *
 * `reason` is one line on why it is not spoken in clips; empty if clips were not requested.
 */
export interface VoiceChanged {
  kind: 'clips' | 'browser' | 'silent';
  reason: string;
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
 * The result of a match. `winners` is empty if no seat won.
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
 * The ratings and payoffs of a training run's league after a step, from its newest matches.
 *
 * Each pair of players is in `payoffs` at most once.
 */
export interface LeagueRated {
  step: number;
  players: RatedPlayer[];
  payoffs: LeaguePayoff[];
}
/**
 * A player of a league with its rating in Elo points.
 *
 * `label` is its name in metrics. A `policy` without a version is the present policy: its versions since the last
 * checkpoint. A `peer` is a version of another run. `share` is its share of the Nash average of the payoffs, None if
 * it was not computed; `role` is that of its run, empty where all runs have the same.
 */
export interface RatedPlayer {
  name: string;
  label: string;
  kind: 'base' | 'bot' | 'policy' | 'peer';
  role: string;
  version?: number | null;
  landmark: boolean;
  rating: Estimate;
  share?: number | null;
}
/**
 * A mean with its 95 per cent interval over `n` independent units; None where the sample is too small.
 */
export interface Estimate {
  mean?: number | null;
  low?: number | null;
  high?: number | null;
  n: number;
}
/**
 * The results of two rated players, by their labels: every pair of their seats in a match is one of `games`.
 *
 * `share` is the share of them that `player` won, ties as half, over independent situations. `differ` holds if it
 * differs from one half at 5 per cent for all pairs together.
 */
export interface LeaguePayoff {
  player: string;
  opponent: string;
  wins: number;
  draws: number;
  losses: number;
  games: number;
  share: Estimate;
  differ: boolean;
}
/**
 * Matches that a tournament plays next. `planned` is the most matches that it may play, these included.
 */
export interface PairingsDrawn {
  planned: number;
  pairings: Pairing[];
}
/**
 * A match of a tournament, before it is played: the player of each seat.
 *
 * Matches with the same `opening` start from the same seed and situation, so that their players have the same luck.
 */
export interface Pairing {
  number: number;
  round: number;
  opening: number;
  players: {
    [k: string]: string;
  };
}
/**
 * A match of a tournament began. `episode_id` is empty if no viewer can watch it.
 */
export interface PairingBegan {
  number: number;
  episode_id: string;
}
/**
 * The end of a tournament's match. `scores` is empty if it was not played to its end, and `message` says why.
 *
 * `counted` are the seats whose score is their player's own; `faults` and `fallbacks` are counted by seat.
 */
export interface PairingPlayed {
  number: number;
  episode_id: string;
  status: 'queued' | 'live' | 'finished' | 'stopped' | 'error' | 'interrupted';
  message: string;
  scores: {
    [k: string]: number;
  };
  counted: string[];
  faults: {
    [k: string]: number;
  };
  fallbacks: {
    [k: string]: number;
  };
}
/**
 * The report of a campaign changed.
 *
 * `report` has its head, and only the sections that are new or changed, at their places in `order`, the ids of all
 * sections. A chart to which points were added is not repeated: `added` has the points; nor is a table of which less
 * than half changed: `rows` has the rows. `text` says what happened, in a sentence for the log; '' if nothing is worth
 * a line. `mark` asks for a mark on the timeline.
 */
export interface ReportUpdated {
  report: Report;
  order: string[];
  added: AddedPoints[];
  rows: ChangedRows[];
  text: string;
  mark: boolean;
}
/**
 * The contents of a campaign's page.
 *
 * `headline` is the result in a few words, `summary` the sentence below it. `owners` are the players or arms in the
 * order in which they get their colours.
 */
export interface Report {
  headline: string;
  summary: string;
  tone: '' | 'good' | 'bad' | 'warning' | 'faint';
  progress?: Progress | null;
  owners: string[];
  sections: Section[];
}
/**
 * The units of a campaign: `done` of `total`, of which `failed` failed.
 *
 * `seconds` is the estimate of the time that the others take.
 */
export interface Progress {
  done: number;
  total: number;
  /**
   * The name of several units: `matches`.
   */
  unit: string;
  failed: number;
  seconds?: number | null;
}
/**
 * A part of a report. Sections with the same `tab` stand together; those without one stand above all tabs.
 *
 * `note` is one line on how to read it. Where the screen is wide, sections of width `half` or `third` share a row.
 */
export interface Section {
  id: string;
  title: string;
  note: string;
  tab: string;
  width: 'full' | 'half' | 'third';
  body: Figures | Table | Chart | Notes;
}
/**
 * Some values in a row, the first one largest.
 */
export interface Figures {
  kind: 'figures';
  figures: Figure[];
}
/**
 * A value with its name.
 */
export interface Figure {
  label: string;
  value: Value;
  unit: '' | 'share' | 'elo' | 'dollars' | 'seconds' | 'count' | 'signed' | 'signed elo' | 'bytes';
  /**
   * What the value is a part of: 24 of 30, drawn as a bar.
   */
  of?: number | null;
  help: string;
}
/**
 * A number or words, with interval, tone and note. None if unknown: `note` may say why.
 *
 * `low` and `high` are the bounds of its interval, None where the sample `n` is too small for one; `level` is that of
 * the interval. `dots` are the values that it is the mean of, where there are few.
 */
export interface Value {
  value?: number | string | null;
  low?: number | null;
  high?: number | null;
  n?: number | null;
  level: number;
  dots: number[];
  note: string;
  tone: '' | 'good' | 'bad' | 'warning' | 'faint';
  strong: boolean;
  link?: Link | null;
  behind?: Behind | null;
}
/**
 * A moment, or a page of this server if `page` is given, such as `/player/heron-2`.
 */
export interface Link {
  text: string;
  episode_id: string;
  seq?: number | null;
  page: string;
}
/**
 * The matches from which a value is computed.
 *
 * They are rows of the report's table `table`, such as `0-11,14`; or, without a table, the matches of a training run
 * that the server knows: of the steps `first` to `last`, with `player` in a seat if one is named, and of one `stage`
 * if one is.
 */
export interface Behind {
  title: string;
  note: string;
  table: string;
  rows: string;
  first: number;
  last: number;
  players: string[];
  stage: '' | 'training' | 'evaluation';
}
/**
 * Rows of values. `sort` is the column by which they are sorted at first; '' keeps their order.
 *
 * Rows beyond `shown` are folded away until the reader asks for them.
 */
export interface Table {
  kind: 'table';
  columns: Column[];
  rows: Row[];
  sort: string;
  shown: number;
}
/**
 * A column of a table.
 *
 * `shape` says how its values are drawn: as text or a number with its interval below; as a `whisker` on an axis that
 * all rows share, from `low` to `high` if they are given; as a `bar`; or as `heat`, the cells of a matrix, which are
 * coloured by their distance from `middle`. `drop` orders the columns that a narrow screen leaves out: the greatest
 * goes first.
 */
export interface Column {
  id: string;
  title: string;
  shape: 'text' | 'number' | 'whisker' | 'bar' | 'heat';
  unit: '' | 'share' | 'elo' | 'dollars' | 'seconds' | 'count' | 'signed' | 'signed elo' | 'bytes';
  low?: number | null;
  high?: number | null;
  middle?: number | null;
  help: string;
  drop: number;
}
/**
 * A row of a table: a value for each column. `owner` is the player or arm in whose colour it is marked.
 */
export interface Row {
  id: string;
  cells: Value[];
  owner: string;
  tone: '' | 'good' | 'bad' | 'warning' | 'faint';
}
/**
 * Marks on two axes. Without a y axis all marks lie on one line, and intervals go along x.
 *
 * `figures` stand beside it. `describe` is a sentence on its contents, for screen readers.
 */
export interface Chart {
  kind: 'chart';
  x: Axis;
  y?: Axis | null;
  marks: Mark[];
  figures: Figure[];
  describe: string;
  size: 'large' | 'small';
}
/**
 * An axis of a chart. `low` and `high` are values that it contains at least; `log` asks for powers of ten.
 */
export interface Axis {
  title: string;
  unit: '' | 'share' | 'elo' | 'dollars' | 'seconds' | 'count' | 'signed' | 'signed elo' | 'bytes';
  low?: number | null;
  high?: number | null;
  log: boolean;
}
/**
 * A series of a chart.
 *
 * A `line` joins its points; a `band` fills the space between their `low` and `high`; `dots` stand alone, with their
 * intervals; `bars` rise from 0; a `rule` is a straight line at its one point's y, or at its x in a chart without a y
 * axis. Marks with an empty `name` have no entry in the legend.
 */
export interface Mark {
  id: string;
  kind: 'line' | 'band' | 'dots' | 'bars' | 'rule';
  name: string;
  owner: string;
  tone: '' | 'good' | 'bad' | 'warning' | 'faint';
  strong: boolean;
  points: Point[];
}
/**
 * A point of a mark, with the bounds of its interval: along y, or along x in a chart without a y axis.
 */
export interface Point {
  x: number;
  y: number;
  low?: number | null;
  high?: number | null;
  label: string;
  behind?: Behind | null;
}
/**
 * Sentences.
 */
export interface Notes {
  kind: 'notes';
  notes: Note[];
}
/**
 * A sentence or two, with its tone; `link` leads on.
 */
export interface Note {
  text: string;
  tone: '' | 'good' | 'bad' | 'warning' | 'faint';
  title: string;
  link?: Link | null;
}
/**
 * Points to be added at the end of a mark of a chart.
 */
export interface AddedPoints {
  section: string;
  mark: string;
  points: Point[];
}
/**
 * Rows of a table: each replaces the row of its id, or is added at the end.
 */
export interface ChangedRows {
  section: string;
  rows: Row[];
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
 * A seat's choices so far by slot, or the action of a draft; neither at the beginning.
 */
export interface AskChoices {
  /**
   * The number of the decision; the choices are dropped if it is not the current one.
   */
  number?: number | null;
  /**
   * Values for which there is no slot are dropped.
   */
  chosen?: {
    [k: string]: string | number | string[];
  };
  /**
   * An action that no choices lead to is dropped.
   */
  action?: {
    [k: string]: unknown;
  } | null;
}
/**
 * The choices so far of a seat after the moves of a sandbox; without a seat, those of a change of the position.
 */
export interface AskSandbox {
  /**
   * An event of the match: the sandbox begins with its turn.
   */
  seq: number;
  /**
   * @maxItems 300
   */
  moves?: SandboxMove[];
  /**
   * Another number draws chance anew.
   */
  draw?: number;
  /**
   * The moves whose events are known, which the answer leaves out.
   */
  known?: number;
  /**
   * The seat to look from; by default the first that decides.
   */
  seat?: string | null;
  asked?: AskChoices;
}
/**
 * A decision of a seat; without a seat, a change of the position by hand.
 */
export interface SandboxMove {
  seat?: string | null;
  /**
   * Null for what a seat does that does nothing.
   */
  action?: {
    [k: string]: unknown;
  } | null;
}
/**
 * The person whom a live match waits for, and the Unix time at which the clock runs out, if there is one.
 */
export interface Awaited {
  episode_id: string;
  seat: string;
  deadline?: number | null;
}
/**
 * Who would win, as the server and as its viewers saw it when event `seq` closed the question.
 */
export interface BeliefPoint {
  seq: number;
  chances: {
    [k: string]: number;
  };
  belief: {
    [k: string]: number;
  };
}
/**
 * A call of one option of an open question.
 */
export interface CallQuestion {
  /**
   * 32 random hexadecimal digits, which the browser keeps.
   */
  viewer: string;
  question: string;
  option: string;
}
/**
 * The line of one seat in the standing: its name and score.
 */
export interface CardRow {
  seat: string;
  name: string;
  score: string;
  strong: boolean;
  short: string;
}
/**
 * The clips of an episode's lines, in order. `more`: others are being made.
 */
export interface ClipList {
  clips: VoiceReady[];
  more: boolean;
}
/**
 * A command that steers a match. Repeated with the same `Idempotency-Key`, it is obeyed once.
 *
 * `pace`, `extend` and `step` take `value`: seconds between turns, additional turns, turns to play. `take_over`,
 * `hand_back` and `leave` take `seat`; after `leave` a built-in player acts, also in a seat that began as a person's.
 * `approve` and `reject` take the `message` id of a MessageHeld, `approve` a new `text` too.
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
    | 'leave'
    | 'approve'
    | 'reject'
    | 'to_front';
  value?: number | null;
  seat?: string | null;
  message?: string | null;
  text?: string | null;
}
/**
 * A viewer's calls of the last day: Brier scores, 0 the best and 1 the worst, of the viewer and of the server.
 */
export interface DayScore {
  name: string;
  calls: number;
  right: number;
  brier: number;
  server: number;
  /**
   * 100 × the sum of what the viewer's scores are below the server's.
   */
  points: number;
  streak: number;
  own: boolean;
}
/**
 * An endpoint for which callers may bring their own keys; `signed_in` if an account stands in for the key.
 */
export interface EndpointInfo {
  name: string;
  url: string;
  signed_in: boolean;
}
/**
 * A new key for all models of a match at one endpoint.
 */
export interface EnterKey {
  endpoint: string;
  /**
   * Left out for an account that is signed in.
   */
  api_key?: string | null;
}
/**
 * A page of the lobby, newest first.
 */
export interface EpisodeList {
  episodes: EpisodeSummary[];
  total: number;
  /**
   * Connections per watched episode.
   */
  viewers: {
    [k: string]: number;
  };
  /**
   * The episodes that wait for a slot, next first.
   */
  queue: string[];
  /**
   * The showcase of each game that has one.
   */
  lanes: LaneInfo[];
  /**
   * Live episodes that wait until the record can be written; they go on by themselves.
   */
  waiting: string[];
  /**
   * The people whom live matches wait for, in each match the one with the least time.
   */
  awaited: Awaited[];
}
/**
 * An episode in the lobby, folded from its public events alone.
 */
export interface EpisodeSummary {
  episode_id: string;
  epoch: number;
  game: string;
  title: string;
  status: 'queued' | 'live' | 'finished' | 'stopped' | 'error' | 'interrupted';
  origin: string;
  source: string;
  options: {
    [k: string]: unknown;
  };
  seats: SeatInfo[];
  reveal: 'live' | 'after' | 'never';
  delay: number;
  clock?: number | null;
  approve: boolean;
  voice: boolean;
  commentator: string;
  parent?: Moment | null;
  training?: TrainingMatch | null;
  visitor: boolean;
  created_at: number;
  started_at?: number | null;
  ended_at?: number | null;
  last_seq: number;
  turn: string;
  scores: {
    [k: string]: number;
  };
  outlook?: OutlookUpdated | null;
  /**
   * The headline of a campaign's report.
   */
  headline: string;
  paused: boolean;
  /**
   * Seats that a person has taken over.
   */
  taken: string[];
  /**
   * Seats whose person has left, so that a built-in player acts.
   */
  left: string[];
  outcome?: OutcomeData | null;
  message: string;
  /**
   * Its place in the queue while it waits for a slot.
   */
  queue?: QueuePlace | null;
  /**
   * True if it came with the installation.
   */
  reference: boolean;
}
/**
 * The place of a match in the queue, from 1, and an estimate of the seconds until it begins.
 */
export interface QueuePlace {
  place: number;
  seconds?: number | null;
}
/**
 * The showcase of one game: the match that is on, or the time of the next start, in seconds since 1970.
 */
export interface LaneInfo {
  game: string;
  episode_id?: string | null;
  next_at?: number | null;
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
 * A short replay: the moment before something happened, and those that show it.
 */
export interface Excerpt {
  episode: EpisodeSummary;
  shots: Glance[];
}
/**
 * A moment of a match on a small board: its picture, and the standing in the words of the game.
 */
export interface Glance {
  /**
   * A `Picture` without the fields that have their defaults, and without the places of the game's ground; None where the game draws none.
   */
  picture?: {
    [k: string]: unknown;
  } | null;
  /**
   * Place of the game's ground -> its owner; None for a game without a ground.
   */
  owners?: {
    [k: string]: string;
  } | null;
  rows: CardRow[];
  facts: string[];
}
/**
 * A request for a new match that begins with the position of another after event `seq`, by default its last.
 */
export interface ForkEpisode {
  seq?: number | null;
  /**
   * New players by seat; the other seats keep theirs.
   */
  players: {
    [k: string]: string;
  };
  /**
   * Seed of all further draws; by default the parent's.
   */
  seed?: number | null;
  pace?: number | null;
  title: string;
  paused: boolean;
}
/**
 * The start of a stream: the next numbered frame is `snapshot.seq + 1`.
 */
export interface SnapshotFrame {
  frame: 'snapshot';
  snapshot: Snapshot;
}
/**
 * All that is needed to draw the moment `seq`: the last whole state before it, and the frames since.
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
 * The viewer's frames are not a prefix of this stream and must be dropped. A snapshot follows.
 */
export interface ResyncFrame {
  frame: 'resync';
  reason: string;
}
/**
 * A game: its seats, options (as a JSON schema) and available players.
 */
export interface GameInfo {
  name: string;
  title: string;
  seats: string[];
  /**
   * Option -> its value as text -> the seats, if they depend on it.
   */
  seats_by: {
    [k: string]: {
      [k: string]: string[];
    };
  };
  options: {
    [k: string]: unknown;
  };
  players: PlayerInfo[];
  /**
   * The players of a showcase match, one per seat.
   */
  cast: string[];
  /**
   * The formats in which its episodes can be exported.
   */
  formats: string[];
}
/**
 * A player that may take a seat.
 */
export interface PlayerInfo {
  name: string;
  kind: string;
  game: string;
  description: string;
  available: boolean;
  /**
   * The reason why it cannot be seated now, and the remedy.
   */
  reason: string;
}
/**
 * An important moment of a recent match: a fact of its story, and the events that show it, `first` to `last`.
 *
 * `first` is the start of the turn, so that its position is the one before what happened. What happened before a turn
 * began, and is told of its start, is shown from the start of the turn before.
 */
export interface Highlight {
  episode_id: string;
  game: string;
  title: string;
  first: number;
  last: number;
  at: number;
  turn: string;
  kind: string;
  text: string;
  importance: number;
  seats: string[];
  excerpt?: Excerpt | null;
  /**
   * True if the match came with the installation.
   */
  reference: boolean;
}
/**
 * A file that was imported, as an episode.
 */
export interface ImportedFile {
  episode: EpisodeSummary;
  /**
   * False if it was imported before.
   */
  new: boolean;
  /**
   * Moments at which our rules give another result than the file.
   */
  differences: string[];
}
/**
 * The last important fact of a match, which event `seq` tells, and the events that show it, `first` to `last`.
 */
export interface KeyMoment {
  seq: number;
  first: number;
  last: number;
  text: string;
  excerpt: Excerpt;
}
/**
 * The matches that the lobby shows: those that are live, those that wait, and those that ended last.
 */
export interface Lobby {
  /**
   * Names this state of the lobby: `epoch.number`.
   */
  version: string;
  episodes: {
    [k: string]: EpisodeSummary;
  };
  /**
   * The live episodes, newest first.
   */
  live: string[];
  /**
   * The episodes that wait for a slot, next first.
   */
  queue: string[];
  /**
   * The episodes that ended last, newest first; without those of tournaments.
   */
  ended: string[];
  /**
   * The number of ended episodes, without those of tournaments.
   */
  total: number;
  /**
   * Connections per watched episode.
   */
  viewers: {
    [k: string]: number;
  };
  /**
   * The showcase of each game that has one.
   */
  lanes: LaneInfo[];
  /**
   * Live episodes that wait until the record can be written; they go on by themselves.
   */
  waiting: string[];
  /**
   * The people whom live matches wait for, in each match the one with the least time.
   */
  awaited: {
    [k: string]: Awaited;
  };
  /**
   * The last key moment of each live match, and of the last results.
   */
  moments: {
    [k: string]: KeyMoment;
  };
  /**
   * The newest live matches, and the last results, at their summary's `last_seq`.
   */
  glances: {
    [k: string]: Glance;
  };
}
/**
 * A slot that takes `least` to `most` of its options; options with the same target exclude each other.
 */
export interface ManySlot {
  kind: 'many';
  name: string;
  prompt: string;
  options: SlotOption[];
  least: number;
  most: number;
  default?: string[] | null;
}
/**
 * An option of a slot, as `grandstand/games/choices.py` defines it.
 */
export interface SlotOption {
  word: string;
  text: string;
  target: string;
  help: string;
  kind: string;
}
/**
 * What the viewers of a match say: what they are asked and call, and the moments with most reactions, in order.
 */
export interface MatchAudience {
  questions: MatchQuestion[];
  curve: BeliefPoint[];
  day: DayScore[];
  own?: DayScore | null;
  reactions: MomentReactions[];
}
/**
 * A question that event `seq` has asked. Calls are taken until event `closed`; event `answered` has the answer.
 */
export interface MatchQuestion {
  key: string;
  kind: string;
  text: string;
  note: string;
  basis: 'computed' | 'measured';
  seq: number;
  closed?: number | null;
  answered?: number | null;
  options: QuestionOption[];
  /**
   * The answer: the share of each option that came true.
   */
  shares: {
    [k: string]: number;
  };
  calls: number;
  /**
   * The share of the calls of each option; empty while calls are taken.
   */
  belief: {
    [k: string]: number;
  };
  call?: ViewerCall | null;
}
/**
 * An answer that may be called. Its chance is left out until the viewer has called or calls are closed.
 */
export interface QuestionOption {
  word: string;
  text: string;
  seat?: string | null;
  chance?: number | null;
}
/**
 * The caller's own call, and its points once there is an answer.
 */
export interface ViewerCall {
  option: string;
  points?: number | null;
}
/**
 * How many viewers reacted to the moment of event `seq`, by reaction, and the reactions of the caller.
 */
export interface MomentReactions {
  seq: number;
  counts: {
    [k: string]: number;
  };
  own: ('bravo' | 'ouch' | 'tense')[];
}
/**
 * A slot that takes a number from `low` to `high` in steps.
 */
export interface NumberSlot {
  kind: 'number';
  name: string;
  prompt: string;
  low: number;
  high: number;
  step: number;
  unit: string;
  default?: number | null;
}
/**
 * A moment of a match and the moves that are tried from it. The server keeps none of it.
 */
export interface OpenSandbox {
  /**
   * An event of the match: the sandbox begins with its turn.
   */
  seq: number;
  /**
   * @maxItems 300
   */
  moves: SandboxMove[];
  /**
   * Another number draws chance anew.
   */
  draw: number;
  /**
   * The moves whose events are known, which the answer leaves out.
   */
  known: number;
  /**
   * The seat to look from; by default the first that decides.
   */
  seat?: string | null;
}
/**
 * A language model that the caller pays for. The key is kept in memory, and dropped when the match ends.
 *
 * `api_key` may be left out if the caller has signed in with an account of the endpoint.
 */
export interface OwnModel {
  /**
   * The name of an endpoint in `GET /api/session`.
   */
  endpoint: string;
  /**
   * The model's name at the endpoint.
   */
  model: string;
  api_key?: string | null;
}
/**
 * A seat with a model that its caller pays for. `reason` is why it has no key, if it has none.
 */
export interface OwnModelSeat {
  seat: string;
  endpoint: string;
  model: string;
  has_key: boolean;
  reason: string;
}
/**
 * The report that a page shows, and the choices that lead to others.
 *
 * `unread` matches are still to be read from the record, so that the next report may have more.
 */
export interface PageReport {
  report: Report;
  choices: ReportChoice[];
  unread: number;
}
/**
 * A choice among reports: the name and the page of each, and the place of the one that is shown.
 */
export interface ReportChoice {
  title: string;
  options: Link[];
  selected: number;
}
/**
 * A slot that takes one of its options; without a `default` it must be answered.
 */
export interface PickSlot {
  kind: 'pick';
  name: string;
  prompt: string;
  options: SlotOption[];
  default?: string | null;
}
/**
 * A request for a match in which the caller plays `seat`, by default the first, and receives its token.
 *
 * If `models` names that seat, the caller's model plays it.
 */
export interface PlayEpisode {
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
   * Seconds by which spectators are delayed.
   */
  delay?: number;
  /**
   * Stop after this many turns.
   */
  turns?: number | null;
  /**
   * Seconds a person has for a turn; the roster's by default.
   */
  clock?: number | null;
  /**
   * Hold each machine-written message until an operator approves it.
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
  /**
   * Language model of the roster that words the commentary; by default the built-in words are used.
   */
  commentator?: string;
  /**
   * Language models by seat that the caller pays for with a key of its own.
   */
  models?: {
    [k: string]: OwnModel;
  };
  seat?: string | null;
}
/**
 * A player's results in the finished matches of one option set of this record; imports and forks are left out.
 *
 * Only seats in which it made every decision itself are scored; decisions of its fallback or of a person are
 * counted apart. `mean_score` is None if there is no such seat; `ci95` are the ends of its 95 % interval. `rating` is
 * its online rating over `rating.n` matches, in Elo points; a player with few matches has no mean yet.
 */
export interface PlayerRecord {
  game: string;
  setting: string;
  /**
   * The option set in words.
   */
  options: string;
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
  rating?: Estimate | null;
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
 * Events of one episode, in order, from an external driver.
 */
export interface PublishBatch {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  events: [Event, ...Event[]];
}
/**
 * The progress of a published episode: the server has all events below `next_seq`.
 */
export interface Published {
  next_seq: number;
}
/**
 * What a visitor may use of this server now.
 */
export interface PurseInfo {
  /**
   * Credits that are left; below 0 if matches have cost more.
   */
  balance: number;
  /**
   * Credits of a full purse.
   */
  credits: number;
  /**
   * Credits that come back in a minute.
   */
  refill: number;
  /**
   * Credits that a match takes at its start; those that it does not use come back.
   */
  match: number;
  /**
   * Seconds until there are enough for a match.
   */
  wait: number;
}
/**
 * A decision of a training match that is used for training: event `seq`, decided by policy `version`.
 */
export interface RecordedDecision {
  seq: number;
  seat: string;
  turn: string;
  version: number;
}
/**
 * The position after the moves of a sandbox.
 */
export interface SandboxPosition {
  /**
   * The event of the match after which the sandbox begins.
   */
  seq: number;
  /**
   * The viewpoint of that event.
   */
  viewpoint: 'analyst' | 'spectator';
  /**
   * The events of each move that was not known, numbered after `seq`.
   */
  events: Event[][];
  /**
   * The seats that decide next; none if the match is over.
   */
  waiting: string[];
  /**
   * What the seat asked about may know and do.
   */
  view?: SeatView | null;
  /**
   * Whether the position can be changed by hand.
   */
  editable: boolean;
  /**
   * The decisions of the match in the turn in which the sandbox begins, before any move.
   */
  decided: SandboxMove[];
}
/**
 * All that one seat may know and do now; `asked` is the task that the match waits for, if any.
 *
 * `number` numbers the seat's next decision, or its messages in a round of press; the answer repeats it.
 * `draft` is the action saved for this turn, `ready` tells whether it was submitted, `writes` whether the players of
 * the game write to each other. A stopped clock has no `deadline`, but the seconds `left`.
 */
export interface SeatView {
  episode_id: string;
  seat: string;
  index: number;
  number: number;
  turn: string;
  asked?: ('choose' | 'negotiate') | null;
  deadline?: number | null;
  left?: number | null;
  draft?: {
    [k: string]: unknown;
  } | null;
  ready: boolean;
  writes: boolean;
  observation?: unknown;
  legal?: unknown;
  text: string;
}
/**
 * The action that a seat has prepared for turn `index` and has not submitted; null drops it.
 *
 * It need not be complete. When the clock runs out it is the seat's decision, if the rules accept it.
 */
export interface SaveDraft {
  index: number;
  action?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A decision of a seat: an action, or its messages in a round of press.
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
  /**
   * The `number` of the seat's view; a decision that is sent again counts once.
   */
  number?: number | null;
}
/**
 * The stages of the choices, the values with defaults filled in, and the action that they make.
 *
 * The last stage is the first that has a slot without a value, if there is one; `action` is then null. `number` is the
 * number of the decision.
 */
export interface SeatChoices {
  number: number;
  stages: (PickSlot | ManySlot | NumberSlot | TextSlot)[][];
  chosen: {
    [k: string]: string | number | string[];
  };
  action?: {
    [k: string]: unknown;
  } | null;
}
/**
 * A slot that takes a text of at most `limit` characters.
 */
export interface TextSlot {
  kind: 'text';
  name: string;
  prompt: string;
  limit: number;
}
/**
 * A token that plays one seat of one match. It is returned once.
 */
export interface SeatToken {
  episode_id: string;
  seat: string;
  token: string;
}
/**
 * A reaction to the moment of event `seq`.
 */
export interface SendReaction {
  /**
   * 32 random hexadecimal digits, which the browser keeps.
   */
  viewer: string;
  seq: number;
  reaction: 'bravo' | 'ouch' | 'tense';
}
/**
 * The caller's role. `mode` is `open` if everyone on this machine is an operator.
 */
export interface Session {
  role: 'spectator' | 'seat' | 'operator';
  seat?: string | null;
  episode_id?: string | null;
  mode: 'open' | 'token' | 'closed';
  /**
   * Whether the caller may start a match and play one seat of it.
   */
  plays: boolean;
  /**
   * Whether the caller may import files.
   */
  imports: boolean;
  /**
   * The endpoints of language models that the caller may seat with its own key.
   */
  endpoints: EndpointInfo[];
  /**
   * None if the server has no sign-in.
   */
  sign_in?: SignIn | null;
  /**
   * None for an operator, who has no limit.
   */
  purse?: PurseInfo | null;
}
/**
 * The account with which the caller may sign in, and its user, if the caller has signed in.
 */
export interface SignIn {
  provider: string;
  /**
   * The path at which signing in begins; it is for a tab of its own.
   */
  login: string;
  user?: string | null;
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
   * Seconds by which spectators are delayed.
   */
  delay?: number;
  /**
   * Stop after this many turns.
   */
  turns?: number | null;
  /**
   * Seconds a person has for a turn; the roster's by default.
   */
  clock?: number | null;
  /**
   * Hold each machine-written message until an operator approves it.
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
  /**
   * Language model of the roster that words the commentary; by default the built-in words are used.
   */
  commentator?: string;
  /**
   * Language models by seat that the caller pays for with a key of its own.
   */
  models?: {
    [k: string]: OwnModel;
  };
}
/**
 * A request for a tournament. Each of its matches is an episode; `slots` of them are played at a time.
 *
 * Its length is `matches`, or `until` half the width of an interval is reached, with at most `max_matches`. A ladder
 * may have neither: then it goes on until it is stopped. Its limits of tokens and dollars are those of a day.
 */
export interface StartTournament {
  game?: string;
  /**
   * @maxItems 40
   */
  players?: string[];
  title?: string;
  format?: 'round-robin' | 'one-against-all' | 'swiss' | 'fixed' | 'ladder';
  /**
   * Of the format `fixed`: the players of each match in seat order.
   *
   * @maxItems 2000
   */
  pairings?: string[][];
  options?: {
    [k: string]: unknown;
  };
  /**
   * Of the format `ladder`: the players whom a new player meets first.
   *
   * @maxItems 40
   */
  anchors?: string[];
  /**
   * A set of the game's situations to begin from.
   */
  pack?: string;
  /**
   * The number of matches, rounded up to whole openings.
   */
  matches?: number;
  /**
   * Half the width of an interval at which it ends.
   */
  until?: number;
  goal?: 'scores' | 'lead';
  /**
   * The most matches, if it ends by `until`.
   */
  max_matches?: number;
  seed?: number | null;
  on_fault?: 'fallback' | 'forfeit' | 'stop';
  /**
   * Tokens of all matches together.
   */
  max_tokens?: number | null;
  /**
   * US dollars of all matches together.
   */
  max_dollars?: number | null;
  /**
   * Seconds between turns; 0 is full speed.
   */
  pace?: number | null;
  /**
   * Matches that are played at a time.
   */
  slots?: number;
  reveal?: 'live' | 'after' | 'never';
  /**
   * Begin paused.
   */
  paused?: boolean;
}
/**
 * A one-time substitute for a token, for the address of a socket.
 */
export interface Ticket {
  ticket: string;
  seconds: number;
}
/**
 * The matches that a tournament would play at most: `openings` times `per_opening`.
 *
 * `models` are the players whose answers cost tokens.
 */
export interface TournamentForecast {
  matches: number;
  per_opening: number;
  openings: number;
  models: string[];
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

/** The games of episodes that are campaigns. */
export const CAMPAIGNS: readonly string[] = ["training", "tournament", "evaluation", "series", "experiment"];
