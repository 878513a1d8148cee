/* Written by scripts/generate_types.py from games/diplomacy. Do not edit: change the source and run it again. */
import type {CoreEvents, EventOf} from '../../types.gen';

/**
 * The data of the events of diplomacy, by type.
 */
export interface GameEvents {
  PhaseAdvanced: PhaseAdvanced;
  OrdersSubmitted: OrdersSubmitted;
  OrdersResolved: OrdersResolved;
  PromiseReplaced: PromiseReplaced;
  PromiseKept: PromiseKept;
  PromiseBroken: PromiseBroken;
  PactOffered: PactOffered;
  PactAccepted: PactAccepted;
  PactRefused: PactRefused;
  PactKept: PactKept;
  PactBroken: PactBroken;
  CentersChanged: CentersChanged;
  PowerEliminated: PowerEliminated;
  DrawVoted: DrawVoted;
  LieNoted: LieNoted;
  NotesTaken: NotesTaken;
  TacticSet: TacticSet;
  SavedPartRead: SavedPartRead;
}
/**
 * A phase begins.
 */
export interface PhaseAdvanced {
  phase: string;
  state: Position;
}
/**
 * A position, which is public.
 */
export interface Position {
  /**
   * `S1901M`.
   */
  phase: string;
  /**
   * `{"FRANCE": ["A PAR", "F BRE"]}`, every power; dislodged units are not among them.
   */
  units: {
    [k: string]: string[];
  };
  /**
   * `{"FRANCE": {"A BUR": ["GAS", "MAR"]}}`: dislodged units and where they may go; only powers that have some.
   */
  retreats: {
    [k: string]: {
      [k: string]: string[];
    };
  };
  /**
   * `{"FRANCE": ["BRE", "MAR", "PAR"]}`, every power.
   */
  centers: {
    [k: string]: string[];
  };
  /**
   * In winter, how many units a power may build (+) or must remove (-); only powers that have to act.
   */
  builds?: {
    [k: string]: number;
  };
}
/**
 * A power has given its orders, which stay secret until the phase is resolved.
 */
export interface OrdersSubmitted {
  seat: string;
  phase: string;
}
/**
 * A phase was played. In winter, removals by civil disorder are among the orders, with the result `disband`.
 */
export interface OrdersResolved {
  phase: string;
  orders: {
    [k: string]: ResolvedOrder[];
  };
}
export interface ResolvedOrder {
  order: string;
  kind: string;
  unit?: string;
  from?: string;
  to?: string;
  target?: string;
  via?: boolean;
  results: string[];
  dislodged_by?: string;
}
/**
 * A power promised another order, `by`, to a unit for which it had promised `promise` to `recipients` before.
 *
 * Everybody who had the first promise has the second: the first no longer binds. Both are as their sender wrote them.
 */
export interface PromiseReplaced {
  power: string;
  phase: string;
  promise: string;
  by: string;
  recipients: string[];
  public?: boolean;
}
/**
 * A power gave `order` to a unit as it had promised to `recipients` in the same phase.
 *
 * `promise` is as its sender wrote it, `meant` the same in standard notation.
 */
export interface PromiseKept {
  power: string;
  phase: string;
  promise: string;
  order: string;
  recipients: string[];
  public?: boolean;
  meant?: string;
}
/**
 * A power gave `order` to a unit for which it had promised `promise` to `recipients` in the same phase.
 *
 * `promise` is as its sender wrote it, `meant` the same in standard notation.
 */
export interface PromiseBroken {
  power: string;
  phase: string;
  promise: string;
  order: string;
  recipients: string[];
  public?: boolean;
  meant?: string;
}
/**
 * A power offered others a pact: orders of all parties for one to three seasons, and places that none enters.
 *
 * `pact` names it, `until` is its last phase, and `penalty` what follows if it is broken: `void`, or `war`. `counters`
 * is the offer that this one answers. It binds once all have accepted it.
 */
export interface PactOffered {
  parties: string[];
  pact: string;
  phase: string;
  power: string;
  terms: PactTerm[];
  zones: string[];
  until: string;
  penalty?: string;
  counters?: string | null;
}
/**
 * An order that a power gives in a phase by a pact.
 */
export interface PactTerm {
  turn: string;
  power: string;
  order: string;
}
/**
 * A power accepted a pact that it was offered.
 */
export interface PactAccepted {
  parties: string[];
  pact: string;
  phase: string;
  power: string;
}
/**
 * A power refused a pact that it was offered.
 */
export interface PactRefused {
  parties: string[];
  pact: string;
  phase: string;
  power: string;
}
/**
 * A pact ended with this phase, and all parties had kept it.
 */
export interface PactKept {
  parties: string[];
  pact: string;
  phase: string;
}
/**
 * A power broke a pact: it gave `order` where the pact has `term`, or entered a place that was to stay empty.
 */
export interface PactBroken {
  parties: string[];
  pact: string;
  phase: string;
  power: string;
  term: string;
  order: string;
}
/**
 * After a fall in which supply centres changed hands.
 */
export interface CentersChanged {
  phase: string;
  captured: Capture[];
  counts: {
    [k: string]: number;
  };
}
export interface Capture {
  center: string;
  from: string | null;
  to: string;
}
/**
 * A power has lost its last unit and its last centre.
 */
export interface PowerEliminated {
  power: string;
  phase: string;
}
/**
 * A power changed its vote: `draw` or `none`. Votes stand until they are changed.
 */
export interface DrawVoted {
  seat: string;
  vote: string;
  phase: string;
}
/**
 * A power noted, for itself alone, that it does not mean to keep `promise`, given to `recipients`.
 */
export interface LieNoted {
  power: string;
  phase: string;
  promise: string;
  recipients: string[];
  public?: boolean;
}
/**
 * The notes that a power's player keeps for itself, and its trust in other powers from -2 to 2, as they are now.
 *
 * Nobody but the power knows them. `left_out` names the parts of what its player wrote that could not be kept. `aims`
 * are the powers that it means to attack or betray in the phase `turn`, and no longer.
 */
export interface NotesTaken {
  seat: string;
  turn: string;
  notes: string;
  trust: {
    [k: string]: number;
  };
  left_out?: string[];
  aims?: string[];
}
/**
 * The match is a position of the tactics set: `seat` alone is to play, and `task` is its aim.
 */
export interface TacticSet {
  tactic: string;
  title: string;
  seat: string;
  task: string;
}
/**
 * A part of a saved game as it stands in the file, so that the file can be written again.
 *
 * It follows the events made from it: `part` is `game`, `phase` or `message`. A game comes without its phases, a phase
 * without its messages (but with an empty `messages` of the same type), a message without its text; `place` is the
 * message's index or key. `parties` are those who may know the message; null for everybody.
 */
export interface SavedPartRead {
  part: string;
  original: {
    [k: string]: unknown;
  };
  place?: string;
  parties?: string[] | null;
}
/**
 * A promise that was kept or broken, as `PromiseKept` and `PromiseBroken` have it.
 */
export interface JudgedPromise {
  kept: boolean;
  power: string;
  phase: string;
  promise: string;
  order: string;
  recipients: string[];
  public: boolean;
  meant: string;
}
/**
 * A pact that the power is a party of: its offer, as `PactOffered` has it, and its state.
 */
export interface KnownPact {
  pact: string;
  phase: string;
  power: string;
  parties: string[];
  terms: PactTerm[];
  zones: string[];
  until: string;
  penalty: string;
  counters: string | null;
  /**
   * One of open, countered, lapsed, refused, accepted, kept, broken.
   */
  state: string;
  /**
   * The parties that have accepted it.
   */
  accepted: string[];
}
/**
 * A message that the power sent or received, as `MessageSent` has it.
 */
export interface Message {
  turn: string;
  sender: string;
  recipients: string[];
  text: string;
  public: boolean;
  promises: string[];
}
/**
 * Everything that a power may know.
 */
export interface Observation {
  power: string;
  state: Position;
  turn: string;
  to_act: string[];
  /**
   * The power's own orders of this phase, once submitted.
   */
  submitted: string[];
  /**
   * The powers that vote for a draw.
   */
  votes: string[];
  messages: Message[];
  promises: JudgedPromise[];
  pacts: KnownPact[];
  /**
   * The power's own notes, if it has taken any.
   */
  notes: PowerNotes | null;
  /**
   * The supply centres of each power at the end of each year; the first year is the one before the match.
   */
  years: {
    [k: string]: {
      [k: string]: number;
    };
  };
  /**
   * The phases since the last movement phase, that one first.
   */
  recent: PlayedPhase[];
  scores: {
    [k: string]: number;
  };
  /**
   * A sentence on how the match is scored; the page shows it at a person's seat.
   */
  scoring: string;
  options: {
    [k: string]: string | number | boolean | null;
  };
}
/**
 * A power's notes for itself, as `NotesTaken` has them.
 */
export interface PowerNotes {
  turn: string;
  notes: string;
  trust: {
    [k: string]: number;
  };
  left_out: string[];
  aims: string[];
}
/**
 * A phase that was played, as `OrdersResolved` has it.
 */
export interface PlayedPhase {
  phase: string;
  orders: {
    [k: string]: ResolvedOrder[];
  };
}

/** An event that a board of this game receives. A type that it does not know is none of these. */
export type GameEvent = EventOf<GameEvents & CoreEvents>;
