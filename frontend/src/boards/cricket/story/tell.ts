/** Sentences about the game's events. */

import { plain } from '../../../lib/text';
import { many } from '../../../lib/say';
import type { Strip, TurnName } from '../../game';
import type {
  AppealMade,
  BallBowled,
  CalledPlan,
  ChanceChanged,
  FieldSet,
  GameEvent,
  InningsStarted,
  PublicState,
  OverEnded,
  ReviewTaken,
  PlanJudged,
} from '../events.gen';
import { percent, points } from '../score/chances';
import { current, type State } from '../state';
import {
  bowled,
  capital,
  describeBall,
  lengthName,
  lineName,
  oversOf,
  isExtra,
  presetName,
  shotName,
  stroke,
  surname,
  teamName,
  variationName,
  wicketLine,
} from '../vocabulary';

/** Return a sentence about `event`, or '' if it needs none. `before` is the state before the event. */
export function sentence(event: GameEvent, before: State): string {
  const team = (seat: string): string => teamName(before, seat);
  const player = (name: string): string => surname(before, name);
  switch (event.type) {
    case 'MatchStarted':
      return matchStarted(event.data.state);
    case 'TossMade':
      return `${team(event.data.winner)} won the toss and chose to ${event.data.decision}`;
    case 'InningsStarted':
      return inningsStarted(event.data, team);
    case 'SuperOverStarted':
      return `The scores are level: Super Over ${event.data.number}, ${team(event.data.first)} to bat first`;
    case 'BatterArrived':
      return `${player(event.data.batter)} comes in at number ${event.data.position}`;
    case 'BatterRetired':
      return `${player(event.data.batter)}: ${plain(event.data.kind, 40)}`;
    case 'PlayerReplaced': {
      const { seat, player: comes, replaces } = event.data;
      return `${team(seat)} bring in ${player(comes)} for ${player(replaces)} as the impact player`;
    }
    case 'BowlerChosen':
      return event.data.replaces
        ? `${player(event.data.bowler)} finishes the over of ${player(event.data.replaces)}, who is hurt`
        : `${player(event.data.bowler)} to bowl over ${event.data.over + 1}`;
    case 'FieldSet':
      return fieldSet(event.data);
    case 'OverPlanned':
      return `${team(event.data.seat)}'s plan for over ${event.data.over + 1}: ${plan(event.data.plan)}`;
    case 'PlanJudged':
      return planJudged(event.data, team);
    case 'SituationAnalyzed':
      return `${team(event.data.seat)} asked for the numbers`;
    case 'AppealMade':
      return appeal(event.data, player, team);
    case 'ReviewTaken':
      return review(event.data, team);
    case 'BallBowled':
      return before.chances.length ? '' : ball(event.data, before);
    case 'ChanceChanged':
      return chance(event.data, before);
    case 'OverEnded':
      return overEnded(event.data, player);
    case 'PlayInterrupted': {
      const { overs, target, method } = event.data;
      const chase = target == null ? '' : `, the target is ${target}`;
      return `Rain: the innings is cut to ${many(overs, 'over')}${chase} (${plain(method, 30)})`;
    }
    case 'OverRatePenalized': {
      const { seat, outside } = event.data;
      return `${team(seat)} are behind the clock: at most ${many(outside, 'fielder')} outside the circle`;
    }
    case 'InningsEnded': {
      const { batting, runs, wickets, balls, reason } = event.data;
      return `${team(batting)} ${runs}/${wickets} in ${oversOf(balls)} overs: ${plain(reason, 30)}`;
    }
    case 'MatchDecided':
      return capital(event.data.result);
    default:
      return '';
  }
}

/** Return a sentence about the start of a match from a situation, or '' for other matches. */
function matchStarted(whole: PublicState | null | undefined): string {
  const innings = whole?.innings.at(-1);
  if (!whole || !innings) return '';
  const { batting, runs, wickets, balls, target } = innings;
  const chase = target === null ? '' : `, chasing ${target}`;
  return `Play begins with ${plain(whole.teams[batting]?.name ?? batting, 40)} ${runs}/${wickets} after ${oversOf(balls)} overs${chase}`;
}

function inningsStarted({ batting, overs, target }: InningsStarted, team: (seat: string) => string): string {
  return target == null
    ? `${team(batting)} to bat: ${many(overs, 'over')}`
    : `${team(batting)} need ${target} to win in ${many(overs, 'over')}`;
}

function fieldSet({ preset, outside, breach }: FieldSet): string {
  const words = `Field set: ${presetName(preset)}; ${many(outside, 'fielder')} outside the circle`;
  return breach ? `${words}. It breaks the restrictions: ${plain(breach, 80)}` : words;
}

const PLANNED: Record<string, (word: string) => string> = {
  bowler: (name) => name,
  field: (preset) => `field ${presetName(preset)}`,
  length: lengthName,
  line: lineName,
  variation: variationName,
  intent: (intent) => `intent ${intent}`,
  shot: shotName,
  note: (note) => `“${note}”`,
  theme: (theme) => (theme === 'natural' ? '' : theme.replaceAll('_', ' ')),
  zone: lineName,
  ask: () => '',
};

function plan(plan: CalledPlan): string {
  const { intents = {}, ...rest } = plan;
  const parts = Object.entries({ ...rest }).map(([name, value]) => {
    const words = Array.isArray(value) ? value.join(', ') : String(value);
    return plain(PLANNED[name]?.(words) ?? words, 200);
  });
  const risks = Object.entries(intents).map(([batter, intent]) => plain(`${batter}: ${intent}`, 80));
  return [...parts, ...risks].filter(Boolean).join('; ') || 'as it comes';
}

function planJudged(data: PlanJudged, team: (seat: string) => string): string {
  const worth = data.delta == null ? '' : `, worth ${points(data.delta)} points`;
  return `${team(data.seat)} planned over ${data.over + 1}: ${plan(data.plan)}${worth}`;
}

function appeal(
  { kind, batter, given_out: out, may_review: seat, reviews_left: left }: AppealMade,
  player: (name: string) => string,
  team: (seat: string) => string,
): string {
  const asked = isExtra(kind)
    ? `${out ? 'Called' : 'Not called'} a ${plain(kind, 30)}, to ${player(batter)}`
    : `Appeal for ${plain(kind, 30)} against ${player(batter)}: ${out ? 'given out' : 'not out'}`;
  return `${asked}. ${team(seat)} may review, ${many(left, 'review')} left`;
}

function review(data: ReviewTaken, team: (seat: string) => string): string {
  const decision = data.upheld
    ? 'the decision is reversed'
    : data.umpires_call
      ? 'umpire’s call'
      : 'the decision stands';
  const kind = data.kind ? ` for ${plain(data.kind, 30)}` : '';
  const what = isExtra(data.kind) ? `a ${plain(data.kind, 30)}` : 'out';
  const left = data.reviews_left == null ? '' : `. ${many(data.reviews_left, 'review')} left`;
  return `${team(data.seat)} review${kind}: ${decision}, ${data.out ? what : `not ${what}`}${left}`;
}

function ball(data: BallBowled, before: State): string {
  const parts = [`${data.ball} ${describeBall(before, data)}`, bowled(data)].filter(Boolean);
  const played = stroke(data);
  const wicket = wicketLine(before, data);
  const [runs = 0, wickets = 0] = data.score;
  const foul = data.noball_for ? `. No-ball: ${plain(data.noball_for, 80)}` : '';
  return `${parts.join(', ')}${played ? `; ${played}` : ''}${wicket ? `. ${wicket}` : ''}${foul}. ${runs}/${wickets}`;
}

/** If a record contains win probabilities, a ball and the change after it are one step with one sentence. */
function chance({ innings, ball: name, home }: ChanceChanged, before: State): string {
  const { last, chances } = before;
  if (!last || last.innings !== innings || last.ball !== name || chances.at(-1)?.ball === last) return '';
  return `${ball(last, before)}. ${teamName(before, 'home')} ${percent(home)} to win`;
}

function overEnded(
  { over, bowler, runs, wickets, maiden, score }: OverEnded,
  player: (name: string) => string,
): string {
  const [total = 0, down = 0] = score;
  const fell = wickets ? `, ${many(wickets, 'wicket')}` : '';
  return `End of over ${over + 1}: ${maiden ? 'a maiden' : many(runs, 'run')}${fell}. ${total}/${down}. Bowled by ${player(bowler)}`;
}

/**
 * Return the names of a turn: `1st innings 4.3` is `1st innings, ball 4.3` and `1st 5`, in the chapter
 * `1st innings, over 5`.
 */
export function turn(name: string): TurnName {
  const [, part, ordinal, over, number] = /^(.*?)(\d\w\w) innings (\d+)\.(\d+)$/.exec(name) ?? [];
  if (part === undefined || !ordinal || !over || !number) return { title: name, tick: name, chapter: name };
  const innings = `${part}${ordinal} innings`;
  return {
    title: `${innings}, ball ${over}.${number}`,
    tick: part ? `SO ${ordinal}` : `${ordinal} ${Number(over) + 1}`,
    chapter: `${innings}, over ${Number(over) + 1}`,
  };
}

/** Return the score of `seat`: `142/5`, with a Super Over `142/5 & 11/0`, and '–' before it bats. */
export function tally(state: State, seat: string): string {
  const made = state.innings.filter(({ batting }) => batting === seat);
  const last = made.at(-1);
  const shown = last?.superOver ? [made[0], last] : [made[0]];
  return shown.flatMap((innings) => (innings ? [`${innings.runs}/${innings.wickets}`] : [])).join(' & ') || '–';
}

/**
 * Return the score of `seat`. The strip above the board does not show it while the board's own scoreboard does; a match
 * that is over shows both.
 */
export function stripOf(state: State | undefined, seat: string): Strip {
  if (!state) return { count: '' };
  const [innings, count] = [current(state), tally(state, seat)];
  const twice = !innings || (innings.batting === seat && state.result === null);
  return { count, shown: twice ? '' : count };
}
