/* Written by scripts/generate_types.py from games/diplomacy. Do not edit: change the source and run it again. */

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
  CentersChanged: CentersChanged;
  PowerEliminated: PowerEliminated;
  DrawVoted: DrawVoted;
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
 * A position as everybody sees it.
 */
export interface Position {
  phase: string;
  units: {
    [k: string]: string[];
  };
  retreats: {
    [k: string]: {
      [k: string]: string[];
    };
  };
  centers: {
    [k: string]: string[];
  };
  builds?: {
    [k: string]: number;
  };
}
/**
 * A power is ready; its orders stay secret until the phase is resolved.
 */
export interface OrdersSubmitted {
  seat: string;
  phase: string;
}
/**
 * A phase was played. In winter, what civil disorder removed stands among the orders, with the result `disband`.
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
  public: boolean;
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
  public: boolean;
  meant: string;
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
  public: boolean;
  meant: string;
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
  from?: string | null;
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
 * What a saved game holds of one part, as it stands in the file, so that the file can be written again.
 *
 * It follows what the part became: `part` is `game`, `phase` or `message`. A game comes without its phases, a phase
 * without its messages (but with an empty `messages` of the same type), a message without its text; `place` is the
 * message's index or key. `parties` are those who may know the message; null for everybody.
 */
export interface SavedPartRead {
  part: string;
  original: {
    [k: string]: unknown;
  };
  place: string;
  parties?: string[] | null;
}
