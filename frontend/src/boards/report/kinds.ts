/** The kinds of campaigns, and what differs between their boards. */

import type { ReportState } from '../../report/state';

/** A campaign up to a moment. */
export interface Campaign extends ReportState {
  /** Whether it has ended. */
  readonly ended: boolean;
}

export interface Kind {
  readonly noun: string;
  /** The plural, if it is irregular. */
  readonly nouns?: string;
  /** Return the name of a turn. */
  turn(turn: string): string;
  /** Whether an operator can pause, resume and stop it. */
  readonly steered: boolean;
}

const KINDS: Record<string, Kind> = {
  tournament: { noun: 'tournament', turn: (turn) => `${turn} played`, steered: true },
  evaluation: { noun: 'evaluation', turn: (turn) => `${turn} played`, steered: false },
  series: { noun: 'series', nouns: 'series', turn: (turn) => `${turn} played`, steered: false },
  training: { noun: 'training run', turn: (turn) => `Step ${turn}`, steered: false },
  experiment: { noun: 'experiment', turn: (turn) => `${turn} runs completed`, steered: false },
};

const OTHER: Kind = { noun: 'campaign', turn: (turn) => turn, steered: false };

export const plural = ({ noun, nouns = `${noun}s` }: Kind): string => nouns;
export const kindOf = (game: string): Kind => KINDS[game] ?? OTHER;
