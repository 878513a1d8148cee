/** What is shown of the questions of a match at the moment told. Pure. */

import type { MatchQuestion } from '../types.gen';

/**
 * `open`: it may be called. `missed`: calls closed before what is shown here came to it. `waiting`: its answer is not
 * told yet. `answered`: it is.
 */
export type Standing = 'open' | 'missed' | 'waiting' | 'answered';

export interface Shown {
  readonly question: MatchQuestion;
  readonly standing: Standing;
}

/** Called questions that are shown after they have closed. */
const CLOSED = 2;

/** Return how a question stands for a viewer who has been told all up to `told`; null before it is asked there. */
export function standingOf({ seq, closed, answered, call }: MatchQuestion, told: number): Standing | null {
  if (seq > told) return null;
  if (closed == null) return 'open';
  if (answered != null && answered <= told) return 'answered';
  return call != null || closed <= told ? 'waiting' : 'missed';
}

/** Return the questions to show: those that are open, then the last ones that were called, or missed, newest first. */
export function shownAt(questions: readonly MatchQuestion[], told: number): Shown[] {
  const standing = questions.flatMap((question): Shown[] => {
    const found = standingOf(question, told);
    return found ? [{ question, standing: found }] : [];
  });
  const open = standing.filter((each) => each.standing === 'open');
  const called = standing.filter((each) => each.standing !== 'open' && each.question.call);
  const missed = standing.filter((each) => each.standing === 'missed').slice(-1);
  return [...open, ...missed, ...called.slice(-CLOSED).reverse()];
}

/** Return the text of the option that came true; '' if there is none, or several. */
export function answerOf({ options, shares }: MatchQuestion): string {
  const came = options.filter(({ word }) => (shares[word] ?? 0) > 0);
  return came.length === 1 ? (came[0]?.text ?? '') : came.map(({ text }) => text).join(', ');
}
