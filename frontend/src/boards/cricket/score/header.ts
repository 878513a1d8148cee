/** The texts of the scoreboard at a moment. */

import type { BatterLine } from '../events.gen';
import { chase, lastOvers, projected, projects, rate, twoPlaces } from './rates';
import { current, type BowlerLine, type Innings, type Now, type State } from '../state';
import { capital, oversOf, spell, surname, teamName } from '../vocabulary';
import { many } from '../../../lib/say';

export interface AtWicket extends BatterLine {
  readonly short: string;
  readonly onStrike: boolean;
}

/** Return the batters at the wicket, the striker first; only one if an end is vacant. */
export function atWicket(state: State): AtWicket[] {
  const innings = current(state);
  if (!innings) return [];
  const { striker, nonStriker } = state.now;
  return innings.batters
    .filter(({ name }) => name === striker || name === nonStriker)
    .map((line) => ({ ...line, short: surname(state, line.name), onStrike: line.name === striker }));
}

/** Return the bowler's figures for the current over or, between overs, the last one. */
export function bowling(state: State): BowlerLine | undefined {
  const innings = current(state);
  const name = state.now.bowler ?? (state.last?.innings === innings?.number ? state.last?.bowler : undefined);
  return innings?.bowlers.find((line) => line.name === name);
}

/** Return figures like `3.3-0-28-1`: overs, maidens, runs, wickets. */
export function figuresOf({ balls, maidens, runs, wickets }: BowlerLine): string {
  return `${balls % 6 ? oversOf(balls) : balls / 6}-${maidens}-${runs}-${wickets}`;
}

/** Return the state of the match as a headline and supporting facts. */
export function situation(state: State): { head: string; facts: string[] } {
  const innings = current(state);
  if (state.result !== null) return { head: capital(state.result), facts: [] };
  if (!innings) return { head: tossWords(state), facts: [] };
  const now = rate(innings.runs, innings.balls);
  const facts = [`CRR ${twoPlaces(now)}`];
  const needs = chase(innings);
  // The last hit of a chase is shown before the innings is closed.
  if (needs && needs.need <= 0) return { head: 'Target reached', facts };
  if (needs) {
    facts.push(
      `RRR ${twoPlaces(needs.rate)}`,
      `target ${innings.target}${state.method && !innings.superOver ? ` (${state.method})` : ''}`,
    );
    return { head: `Need ${needs.need} off ${spell(needs.balls)}`, facts };
  }
  if (innings.closed !== null) return { head: `Innings over: ${innings.closed}`, facts };
  const five = innings.overs >= 10 ? lastOvers(innings, 5) : null;
  if (five) facts.push(`last 5 overs ${five.runs}/${five.wickets}`);
  const early = now === null || !projects(innings);
  const head = early ? `${many(innings.overs, 'over')} a side` : `Projected ${projected(innings, now)}`;
  return { head, facts };
}

function tossWords(state: State): string {
  if (!state.toss) return 'Before the toss';
  const team = teamName(state, state.toss.winner);
  return state.toss.decision === null ? `${team} won the toss` : `${team} chose to ${state.toss.decision}`;
}

export interface Badge {
  readonly id: string;
  readonly text: string;
  readonly strong: boolean;
}

export function badges(state: State): Badge[] {
  const innings = current(state);
  if (!innings || state.result !== null || innings.closed !== null) return [];
  const badges: Badge[] = [];
  if (state.now.freeHit) badges.push({ id: 'free', text: 'Free hit', strong: true });
  if (state.now.appeal) badges.push({ id: 'review', text: 'Review?', strong: true });
  if (innings.superOver) badges.push({ id: 'super', text: 'Super Over', strong: true });
  if (innings.balls < innings.powerplay) {
    badges.push({ id: 'powerplay', text: `Powerplay to ${oversOf(innings.powerplay)}`, strong: false });
  }
  if (state.now.breach) badges.push({ id: 'breach', text: 'Illegal field', strong: true });
  return badges;
}

/** Return a score like `34 (21)`. */
export const standing = ({ partnership: [runs, balls] }: Now): string => `${runs} (${balls})`;

/** Return the last wicket: `Okonjo 12, at 44/2`. */
export function lastWicket(state: State, innings: Innings): string | null {
  const fall = innings.fall.at(-1);
  if (!fall) return null;
  const line = innings.batters.find(({ name }) => name === fall.name);
  return `${surname(state, fall.name)} ${line?.r ?? ''}, at ${fall.runs}/${innings.fall.length} (${oversOf(fall.balls)})`;
}
