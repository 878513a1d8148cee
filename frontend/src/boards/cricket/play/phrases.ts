/** Texts for a captain's tasks and choices. */

import type { Chosen } from '../../../seat/slots';
import type { Observation } from '../events.gen';
import type { State } from '../state';
import { isExtra, lengthName, lineName, oversOf, shotName, surname, variationName } from '../vocabulary';
import { callOf, type Spell } from './captain';
import { many } from '../../../lib/say';
import { plain } from '../../../lib/text';

/** The tools, each with its name and what it does. */
export const TOOLS: Readonly<Record<string, readonly [name: string, does: string]>> = {
  set_toss: ['Toss', 'Bat or field first'],
  review: ['Review', 'Send the decision upstairs, or not'],
  plan_over: ['Over', 'Plan the rest of the over'],
  bowl_delivery: ['Ball', 'Bowl the next ball'],
  play_delivery: ['Stroke', 'Face the next ball'],
  choose_bowler: ['Bowler', 'Choose who bowls this over'],
  choose_batter: ['Batter', 'Choose who comes in'],
  use_impact_player: ['Impact', 'Bring in the impact player, once'],
  set_field: ['Fielders', 'Move the fielders'],
  choose_next_over_plan: ['Plan', 'Plan the next over'],
  analyze_situation: ['Scorer', "Ask for the scorer's numbers"],
};

/** The label of the button that sends the call of a tool; '' if one tap chooses and sends. */
export const ACTS: Readonly<Record<string, string>> = {
  set_toss: '',
  review: '',
  choose_bowler: '',
  choose_batter: '',
  use_impact_player: 'Bring in',
  plan_over: 'Go on with it',
  bowl_delivery: 'Bowl',
  play_delivery: 'Face it',
  set_field: 'Set the field',
};

/** Return the next task as a sentence. */
export function prompt(state: State, tool: string, observation: Observation): string {
  const now = observation.now;
  const name = (player: string | null | undefined): string => (player ? surname(state, player) : '');
  switch (tool) {
    case 'set_toss':
      return ['You won the toss.', plain(observation.format.forecast?.words ?? '', 160)].filter(Boolean).join(' ');
    case 'review':
      return appeal(observation);
    case 'choose_bowler':
      return 'Who bowls this over?';
    case 'choose_batter':
      return 'Who comes in?';
    case 'use_impact_player':
      return 'The impact player: who comes in, and for whom?';
    case 'plan_over':
      return overPlan(observation);
    case 'bowl_delivery':
      if (!now?.bowler) return 'The next ball: where to aim?';
      return `${name(now.bowler)} to ${name(now.striker) || 'the new batter'}: where to aim?`;
    case 'play_delivery':
      return `${name(now?.striker) || 'The new batter'} faces ${name(now?.bowler) || 'the next ball'}: how to play it?`;
    default:
      return `${TOOLS[tool]?.[1] ?? 'What to do'}.`;
  }
}

function overPlan({ now, seat, plan }: Observation): string {
  if (plan?.why) return `A ${plan.why}: another plan for the rest of the over?`;
  const over = `Over ${Number.parseInt(now?.ball ?? '0', 10) + 1}`;
  return now?.batting === seat ? `${over}: how much risk do they take?` : `${over}: who bowls it, and how?`;
}

const LOOKS: Record<string, string> = {
  unlikely: 'it looks right',
  close: 'it looks close',
  likely: 'it looks wrong',
};

function appeal({ appeal: made }: Observation): string {
  if (!made) return 'Send the decision upstairs?';
  const looks = `from the middle ${LOOKS[made.evidence] ?? made.evidence}. ${many(made.reviews_left, 'review')} left.`;
  if (isExtra(made.kind)) return `${made.given_out ? 'Called' : 'Not called'} a ${plain(made.kind, 30)}: ${looks}`;
  const kind = made.kind === 'lbw' ? 'Leg before' : made.kind[0]?.toUpperCase() + made.kind.slice(1);
  const decision = made.given_out ? 'out' : 'not out';
  return `${kind}, given ${decision}: ${looks}`;
}

/** Return the calls of a delivery or a stroke: `yorker, on the stumps`, or `as it comes` if there are none. */
export function chosenWords(chosen: Chosen): string {
  const say = (name: string, words: (value: string) => string): string => {
    const value = callOf(chosen, name);
    return value && words(value);
  };
  const intent = callOf(chosen, 'intent');
  const parts = [
    say('variation', (value) => variationName(value) || value),
    say('length', lengthName),
    say('line', lineName),
    intent === 'normal' ? '' : intent,
    say('shot', shotName),
  ].filter(Boolean);
  return parts.length ? parts.join(', ') : 'as it comes';
}

/** Return figures like `2-0-14-1, 2 overs left`. */
export function spellWords({ figures: [balls, maidens, runs, wickets], left }: Spell): string {
  const figures = balls ? `${oversOf(balls)}-${maidens}-${runs}-${wickets}` : '';
  return [figures, left === null ? 'part-timer' : `${many(left, 'over')} left`].filter(Boolean).join(', ');
}

const STYLES: Record<string, string> = {
  RF: 'fast',
  RFM: 'fast-medium',
  RM: 'medium',
  LF: 'left-arm fast',
  LFM: 'left-arm fast-medium',
  OB: 'off-break',
  LB: 'leg-break',
  SLA: 'slow left-arm',
  LWS: 'left-arm wrist spin',
};
export const styleName = (style: string | null): string => (style ? (STYLES[style] ?? style) : 'does not bowl');
