/**
 * The parts of a game that only the page of a match needs: its view, the layer on which a person plays, and panels.
 */

import type { Component } from 'svelte';

import type { Answer } from '../seat/answer.svelte';
import type { Letter } from '../seat/letters';
import type { SeatView } from '../types.gen';
import type { BoardProps, Game } from './game';

/** A board is a folder here, whose `index.ts` exports it as `board`, and a line in `registry.ts`. */
export interface Board<S = unknown> extends Game<S> {
  view: Component<BoardProps<S>>;
  /**
   * Replaces `view` while a person at this page is asked for a decision: the board with a layer on which the decision is
   * made. The seat's panel always offers a form as well.
   */
  play?: Component<PlayProps<S>>;
  panels: readonly Panel<S>[];
}

/** A panel beside the board, shown as a tab. It gets the state that may be told, not the one that the board shows. */
export interface Panel<S> {
  id: string;
  title: string;
  component: Component<BoardProps<S>>;
}

/** The properties of a board on which a person plays. */
export interface PlayProps<S> extends BoardProps<S> {
  /** The seat's view. */
  view: SeatView;
  /** The answer to the decision that the match waits for; null if it waits for none. The seat's panel has the same. */
  answer: Answer | null;
  /** Whether the board still shows earlier events; the seat is asked when it has shown them. */
  late: boolean;
  /** Add a letter to those that the seat sends in this round of press. */
  write(letter: Letter): void;
}
