/** The effect of the game's events on the board's state. */

import { observe } from './captaincy';
import { adopt } from './fromSnapshot';
import type { BallBowled, ChanceChanged, GameEvent, InningsStarted, PublicState, OverEnded } from './events.gen';
import { after, milestones, newBatter, score, summary, upsert } from './play';
import { current, NOBODY, type Chance, type Entry, type Innings, type Now, type Scene, type State } from './state';
import { sentence } from './story/tell';
import { howOut, surname } from './vocabulary';

export function reduce(state: State, event: GameEvent): State {
  const captains = observe(state, event);
  const next = step(state, event);
  return captains === state.captains ? next : { ...next, captains };
}

function step(state: State, event: GameEvent): State {
  const { seq } = event;
  switch (event.type) {
    case 'MatchStarted':
      return started(whole(state, event.data.state), event, state);
    case 'TossMade':
      return note({ ...state, toss: { ...event.data } }, event, state);
    case 'InningsStarted':
      return note(begin(state, event.data), event, state);
    case 'SuperOverStarted':
      return note(state, event, state);
    case 'BatterArrived':
      return ready(arrive(state, event.data.batter, event.data.striker));
    case 'BatterRetired':
      return note(retire(state, event.data.batter, event.data.kind), event, state);
    case 'PlayerReplaced': {
      const { innings, seat, player, replaces } = event.data;
      const replaced = { ...state.replaced, [seat]: { innings, player, replaces } };
      return note({ ...state, replaced }, event, state);
    }
    case 'BowlerChosen': {
      const { bowler, places = {} } = event.data;
      const next = ready(at(state, Object.keys(places).length ? { bowler, places } : { bowler }));
      return choice(next, event, current(state)?.bowling ?? '', 'bowler', state);
    }
    case 'FieldSet': {
      const { preset = null, places, breach = null } = event.data;
      const next = ready(at(state, { preset, places, breach }));
      return choice(next, event, current(state)?.bowling ?? '', 'field', state);
    }
    case 'OverPlanned':
      return choice(state, event, event.data.seat, 'plan', state);
    case 'PlanJudged':
      return choice(state, event, event.data.seat, 'plan', state);
    case 'AppealMade': {
      const { may_review: seat, reviews_left: left } = event.data;
      return note(
        at(state, { appeal: event.data, reviews: { ...state.now.reviews, [seat]: left } }),
        event,
        state,
        false,
      );
    }
    case 'ReviewTaken': {
      const { seat, reviews_left: left } = event.data;
      const reviews = { ...state.now.reviews, [seat]: left ?? null };
      return note(at(state, { appeal: null, review: event.data, reviews }), event, state);
    }
    case 'BallBowled':
      return bowl(state, event.data, seq);
    case 'ChanceChanged':
      return { ...state, chances: [...state.chances, chanceOf(state, event.data, seq)] };
    case 'OverEnded':
      return whole(endOver(state, event.data, seq), event.data.state);
    case 'PlayInterrupted': {
      const { overs, target = null, powerplay, quota, method } = event.data;
      const cut = change(state, event.data.innings, (innings) => ({ ...innings, overs, target, powerplay, quota }));
      return note({ ...cut, method }, event, state);
    }
    case 'OverRatePenalized':
      return note(state, event, state);
    case 'InningsEnded':
      return note(endInnings(state, event.data.state, seq), event, state);
    case 'MatchDecided':
      return note({ ...whole(state, event.data.state), result: event.data.result }, event, state);
    default:
      return state;
  }
}

const whole = (state: State, position: PublicState | null | undefined): State =>
  position ? adopt(state, position) : state;
const at = (state: State, now: Partial<Now>): State => ({ ...state, now: { ...state.now, ...now } });
const tell = (state: State, ...entries: Entry[]): State => ({ ...state, log: [...state.log, ...entries] });

/** Return `state` with the sentence of `event`; `before` is the state before the event. */
function note(state: State, event: GameEvent, before: State, key = true): State {
  return tell(state, { kind: 'note', seq: event.seq, text: sentence(event, before), key });
}

/** Return `state` with a sentence about the start, if the match starts from a situation. */
function started(state: State, event: GameEvent, before: State): State {
  return state.innings.length ? note(state, event, before) : state;
}

function choice(
  state: State,
  event: GameEvent,
  seat: string,
  what: Extract<Entry, { kind: 'choice' }>['what'],
  before: State,
): State {
  return tell(state, { kind: 'choice', seq: event.seq, seat, what, text: sentence(event, before) });
}

/** Return the ground for the next ball. */
function ready(state: State): State {
  const { striker, nonStriker, bowler, places } = state.now;
  const innings = current(state)?.number ?? 0;
  return { ...state, scene: { innings, ball: null, striker, nonStriker, bowler, places } };
}

function change(state: State, number: number, to: (innings: Innings) => Innings): State {
  return {
    ...state,
    innings: state.innings.map((innings) => (innings.number === number ? to(innings) : innings)),
  };
}

function begin(state: State, data: InningsStarted): State {
  const { innings: number, batting, bowling, overs, target = null, powerplay, quota, reviews } = data;
  const innings: Innings = {
    number,
    batting,
    bowling,
    overs,
    superOver: number > 2,
    target,
    powerplay: powerplay ?? 0,
    quota,
    runs: 0,
    wickets: 0,
    balls: 0,
    extras: { b: 0, lb: 0, w: 0, nb: 0, p: 0 },
    batters: [],
    bowlers: [],
    fall: [],
    byOver: [],
    closed: null,
  };
  const now = { ...NOBODY, reviews: { [batting]: reviews ?? null, [bowling]: reviews ?? null } };
  return { ...state, innings: [...state.innings.slice(0, number - 1), innings], now };
}

function arrive(state: State, batter: string, striker: boolean): State {
  const innings = current(state);
  if (!innings) return state;
  const { striker: facing, nonStriker: other } = state.now;
  const partner = facing === batter ? other : (facing ?? other);
  const ends = striker ? { striker: batter, nonStriker: partner } : { striker: partner, nonStriker: batter };
  // A batter who retired hurt and returns is not out.
  const batters = upsert(innings.batters, batter, newBatter, (line) => ({ ...line, out: null }));
  return at(
    change(state, innings.number, (card) => ({ ...card, batters })),
    ends,
  );
}

function retire(state: State, batter: string, kind: string): State {
  const innings = current(state);
  if (!innings) return state;
  const out = kind === 'retired out';
  const { striker, nonStriker, partnership } = state.now;
  const next = change(state, innings.number, (card) => ({
    ...card,
    batters: upsert(card.batters, batter, newBatter, (line) => ({ ...line, out: kind })),
    wickets: card.wickets + Number(out),
    fall: out ? [...card.fall, { runs: card.runs, name: batter, balls: card.balls }] : card.fall,
  }));
  return at(next, {
    striker: striker === batter ? null : striker,
    nonStriker: nonStriker === batter ? null : nonStriker,
    partnership: out ? [0, 0] : partnership,
  });
}

function bowl(state: State, ball: BallBowled, seq: number): State {
  const innings = state.innings.find(({ number }) => number === ball.innings);
  if (!innings) return state;
  const next = change(state, innings.number, (card) => score(card, ball, howOut(state, ball)));
  const reached = milestones(innings, ball, (name) => surname(state, name));
  const scene: Scene = {
    innings: innings.number,
    ball,
    striker: ball.batter,
    nonStriker: ball.non_striker,
    bowler: ball.bowler,
    places: state.now.places,
  };
  return tell(
    { ...next, now: after(state.now, ball), last: ball, scene, review: state.now.review },
    { kind: 'ball', seq, ball, milestones: reached },
  );
}

/** Add the win probability to the entry of its ball, which comes directly before it. */
function chanceOf(state: State, data: ChanceChanged, seq: number): Chance {
  const { last, chances } = state;
  const ours = last?.innings === data.innings && last.ball === data.ball && chances.at(-1)?.ball !== last;
  return { ...data, seq, ball: ours ? last : null, balls: ours ? (last.score[2] ?? 0) : 0 };
}

function endOver(state: State, { innings: number, runs, wickets, maiden }: OverEnded, seq: number): State {
  const innings = current(state);
  if (!innings) return state;
  const ended = summary(innings, state.now, maiden);
  const next = change(state, number, (card) => ({
    ...card,
    byOver: [...card.byOver, [runs, wickets]],
    bowlers: card.bowlers.map((line) => (line.name === ended.bowler.name ? ended.bowler : line)),
  }));
  const { striker, nonStriker } = state.now;
  const between = at(next, { striker: nonStriker, nonStriker: striker, bowler: null, thisOver: [] });
  return tell(between, { kind: 'over', seq, summary: ended });
}

/** Close the last over of an innings, whole or not, because it has no event of its own. */
function endInnings(state: State, position: PublicState | null | undefined, seq: number): State {
  const innings = current(state);
  const next = whole(state, position);
  const updated = current(next);
  if (!innings || !updated || !state.now.thisOver.length) return next;
  const maidens = (card: Innings): number => card.bowlers.reduce((sum, line) => sum + line.maidens, 0);
  return tell(next, { kind: 'over', seq, summary: summary(innings, state.now, maidens(updated) > maidens(innings)) });
}
