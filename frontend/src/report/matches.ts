/** The published matches of a training run, of which a report knows only the steps and players. */

import { plain } from '../lib/text';
import type { Behind, EpisodeSummary, RecordedDecision } from '../types.gen';

/** Some steps of a training run, and a player who has a seat in their matches. */
export interface StepQuery {
  readonly first: number;
  readonly last: number;
  readonly player?: string;
}

/** A decision that was recorded for training, with its seat and turn in words and its address. */
export interface DecisionLink extends RecordedDecision {
  readonly href: string;
}

/** The matches of a training run that were published to this server. */
export interface TrainingMatches {
  /** Return the newest matches of these steps, and the number of all. */
  list(query: StepQuery): Promise<{ readonly episodes: readonly EpisodeSummary[]; readonly total: number }>;
  /** Return the recorded decisions of a match. */
  decisions(match: EpisodeSummary): Promise<readonly DecisionLink[]>;
}

/** Return what the server is asked for. */
export function queryOf({ first, last, players }: Behind): StepQuery {
  const [player] = players;
  return { first, last, ...(player === undefined ? {} : { player }) };
}

/** Return whether a match that the server lists belongs to the value. */
export const belongs = ({ players, stage }: Behind, { seats, training }: EpisodeSummary): boolean =>
  (!stage || training?.stage === stage) && players.every((name) => seats.some(({ player }) => player === name));

const VERSION = /@v(\d+)$/;
const LONGEST = 40;

/** Return the players of a match with their numbers of seats, those of a run by their versions: `dumbbot ×3, v12`. */
export function seatsOf({ seats }: EpisodeSummary): string {
  const counts = new Map<string, number>();
  for (const { player } of seats) {
    const version = VERSION.exec(player)?.[1];
    const name = version === undefined ? plain(player, LONGEST) : `v${version}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}${count > 1 ? ` ×${count}` : ''}`).join(', ');
}
