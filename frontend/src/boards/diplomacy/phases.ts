/** Phases in words. */

import { listed } from '../../lib/say';
import type { TurnName } from '../game';

const SEASONS: Record<string, string> = { S: 'Spring', F: 'Fall', W: 'Winter' };
const STAGES: Record<string, string> = { M: 'moves', R: 'retreats', A: 'builds' };
const SHAPE = /^([SFW])(\d+)([MRA])$/;

/** Return season `Spring`, year `1901` and stage `moves` for `S1901M`, or null for an invalid phase. */
export function readPhase(phase: string): { season: string; year: string; stage: string } | null {
  const [, season, year, stage] = SHAPE.exec(phase) ?? [];
  if (!season || !year || !stage) return null;
  return { season: SEASONS[season] ?? season, year, stage: STAGES[stage] ?? stage };
}

/** Return the title of a phase: `S1901M` -> `Spring 1901, moves`. */
export function phaseTitle(phase: string): string {
  const read = readPhase(phase);
  return read ? `${read.season} ${read.year}, ${read.stage}` : phase;
}

/** Return the title of the phases that are drawn: `Spring 1901: moves and retreats`. */
export function seasonTitle(phases: readonly string[]): string {
  const read = phases.map(readPhase).filter((phase) => phase !== null);
  const [first] = read;
  return first ? `${first.season} ${first.year}: ${listed(read.map(({ stage }) => stage))}` : '';
}

/** Return the names of a phase. Its chapter is its year, told season by season. */
export function turn(phase: string): TurnName {
  const { year = phase, season = '' } = readPhase(phase) ?? {};
  return { title: phaseTitle(phase), tick: year, chapter: year, beat: season };
}
