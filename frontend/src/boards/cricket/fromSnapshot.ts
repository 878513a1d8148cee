/** The board's state from a whole position of the rules. */

import { share } from '../../lib/immutable';
import type { BallAhead, InningsCard, PublicState } from './events.gen';
import { NOBODY, type BowlerLine, type Innings, type Now, type State } from './state';

/** Return `state` with the content of `whole`, sharing equal parts. Commentary and drawn balls stay. */
export function adopt(state: State, whole: PublicState): State {
  const innings = whole.innings.map((card) => cardOf(card, whole));
  const playing = innings.at(-1);
  const now = whole.now && playing ? share(state.now, nowOf(state.now, whole.now, playing)) : state.now;
  const { striker, nonStriker, bowler, places } = now;
  return {
    ...state,
    scene: state.scene.innings
      ? state.scene
      : { innings: playing?.number ?? 0, ball: null, striker, nonStriker, bowler, places },
    overs: whole.format.overs,
    method: whole.format.method,
    teams: share(state.teams, whole.teams),
    replaced: share(state.replaced, whole.replaced ?? {}),
    toss: state.toss ?? { winner: whole.toss_winner, decision: decisionOf(whole) },
    innings: share(state.innings, innings),
    now,
    result: whole.result?.text ?? null,
  };
}

/** Return the choice of the winner of the toss, as soon as a side bats. */
function decisionOf({ innings: [first], toss_winner: winner }: PublicState): string | null {
  return first ? (first.batting === winner ? 'bat' : 'field') : null;
}

function cardOf(card: InningsCard, whole: PublicState): Innings {
  return {
    number: card.innings,
    batting: card.batting,
    bowling: Object.keys(whole.teams).find((seat) => seat !== card.batting) ?? '',
    overs: card.overs,
    superOver: card.super_over,
    target: card.target,
    powerplay: card.powerplay ?? 0,
    quota: card.quota,
    runs: card.runs,
    wickets: card.wickets,
    balls: card.balls,
    extras: card.extras,
    batters: card.batters,
    bowlers: card.bowlers.map(bowlerOf),
    fall: card.fall.map(([runs, name, balls]) => ({ runs, name, balls })),
    byOver: card.by_over,
    closed: card.closed,
  };
}

function bowlerOf([name, balls, maidens, runs, wickets, wides, noballs]: InningsCard['bowlers'][number]): BowlerLine {
  return { name, balls, maidens, runs, wickets, wides, noballs };
}

/** Return the last field set. The position contains only the places, and those before the bowler was chosen. */
function nowOf(before: Now, now: BallAhead, { batting, bowling }: Innings): Now {
  const known = Object.keys(before.places).length > 0;
  return {
    ...(known ? before : NOBODY),
    places: known ? before.places : Object.fromEntries(now.field.map((place) => [place, ''])),
    striker: now.striker,
    nonStriker: now.non_striker,
    bowler: now.bowler,
    thisOver: now.this_over,
    partnership: now.partnership,
    freeHit: now.free_hit,
    reviews: { [batting]: now.reviews.batting, [bowling]: now.reviews.bowling },
    appeal: null,
    review: null,
  };
}
