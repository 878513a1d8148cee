/** The matches behind a figure: which of them were published, and the commands that show the others. */

import { plain } from '../../../lib/text';
import type { EpisodeSummary, LeagueRated, RatedPlayer } from '../../../types.gen';
import type { StepQuery } from '../../game';
import { setting, word, type Run } from '../state';
import { POLICY } from './league';
import { called } from './words';

const LONGEST = 40;

/** The matches behind a figure, which are listed when it is chosen. */
export interface Behind {
  readonly title: string;
  readonly note: string;
  readonly query: StepQuery;
  /** Whether a match that the query lists belongs to the figure. */
  readonly has: (match: EpisodeSummary) => boolean;
}

export type Open = (behind: Behind) => void;

/** The matches of a step, whose decisions it learned from. */
export const ofStep = (step: number): Behind => ({
  title: `Matches of step ${step}`,
  note: '',
  query: { first: step, last: step },
  has: ({ training }) => training?.stage === 'training',
});

/** The matches that are played while step `step` is the last: those of the next one, and of more if it plays ahead. */
export const next = (run: Run, step: number): Behind => ({
  ...ofStep(step + 1),
  query: { first: step + 1, last: step + 1 + (setting(run, 'rollout', 'buffer_depth') ?? 0) },
});

/** The matches behind the rating of a player after a step. */
export const ofPlayer = (run: Run, player: RatedPlayer, step: number, note: string): Behind => ({
  title: `Matches of ${called(player.label)}`,
  note,
  query: { first: 0, last: step, ...search(player) },
  has: has(run, player, step),
});

/** The matches in which two players met up to a rating. */
export function ofPair(run: Run, { step }: LeagueRated, a: RatedPlayer, b: RatedPlayer, note: string): Behind {
  const hasBoth = [has(run, a, step), has(run, b, step)];
  return {
    title: `${called(a.label)} against ${called(b.label)}`,
    note,
    query: { first: 0, last: step, ...search(a.kind === 'policy' && a.label !== POLICY ? a : b) },
    has: (match) => hasBoth.every((plays) => plays(match)),
  };
}

const search = ({ label, name }: RatedPlayer): Pick<StepQuery, 'player'> => (label === POLICY ? {} : { player: name });

/** Return whether a player has a seat; the policy of now is all versions since the checkpoint before the rating's. */
function has(run: Run, { label, name }: RatedPlayer, step: number): Behind['has'] {
  if (label !== POLICY) return ({ seats }) => seats.some(({ player }) => player === name);
  const first = step - (setting(run, 'run', 'checkpoint_every') ?? 1);
  return ({ seats }) => seats.some(({ player }) => (versionOf(run, player) ?? -1) > first);
}

/** The matches of a step in the run's record. */
export interface Recorded {
  /** Number of the matches that the settings plan for a step; 0 if they do not say. */
  readonly count: number;
  /** The command that shows the first of them. */
  readonly command: string;
  /** Number of steps whose matches are kept; 0 for all. */
  readonly kept: number;
}

/** Return what the run's own record has of a step. */
export function recorded(run: Run, step: number): Recorded {
  const name = word(run, 'run', 'name') || 'NAME';
  const folder = `${word(run, 'run', 'folder') || 'runs'}/${name}`;
  const match = `${name}-s${String(step).padStart(6, '0')}-g000-f00`;
  return {
    count: (setting(run, 'rollout', 'groups') ?? 0) * (setting(run, 'rollout', 'samples') ?? 0),
    command: `grandstand replay ${match} --data ${folder}`,
    kept: setting(run, 'run', 'keep_matches') ?? 0,
  };
}

/** Return the players of a match with their numbers of seats, those of the run by their versions: `dumbbot ×3, v12`. */
export function seatsOf(run: Run, { seats }: EpisodeSummary): string {
  const counts = new Map<string, number>();
  for (const { player } of seats) {
    const version = versionOf(run, player);
    const name = version === null ? plain(player, LONGEST) : called(`v${version}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name}${count > 1 ? ` ×${count}` : ''}`).join(', ');
}

/** Return the version that a player of a match is of the run's policy, or null. */
function versionOf(run: Run, player: string): number | null {
  const prefix = `${word(run, 'run', 'name')}@v`;
  return player.startsWith(prefix) ? Number(player.slice(prefix.length)) : null;
}
