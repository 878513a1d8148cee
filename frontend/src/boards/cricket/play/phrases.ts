/** Texts for a captain's tasks and choices. */

import type { Legal, Observation } from '../events.gen';
import type { State } from '../state';
import { lengthName, lineName, oversOf, presetName, shotName, surname, variationName } from '../vocabulary';
import { can, vacant, type Arguments, type Spell } from './captainView';
import { many } from '../../../lib/say';

/** Return the next task as a sentence. */
export function prompt(state: State, legal: Legal, observation: Observation): string {
  const now = observation.now;
  const name = (player: string | null | undefined): string => (player ? surname(state, player) : '');
  switch (legal.must) {
    case 'set_toss':
      return 'You won the toss.';
    case 'review':
      return appeal(observation);
    case 'bowl_delivery':
      if (!now?.bowler) return can(legal, 'choose_bowler') ? 'Who bowls this over?' : 'The next ball: where to aim?';
      return `${name(now.bowler)} to ${name(now.striker) || 'the new batter'}: where to aim?`;
    case 'play_delivery':
      if (vacant(observation)) return 'Who comes in?';
      return `${name(now?.striker)} faces ${name(now?.bowler) || 'the next ball'}: how to play it?`;
    default:
      return 'The match waits for the other side.';
  }
}

const LOOKS: Record<string, string> = {
  unlikely: 'it looks right',
  close: 'it looks close',
  likely: 'it looks wrong',
};

function appeal({ appeal: made }: Observation): string {
  if (!made) return 'Send the decision upstairs?';
  const kind = made.kind === 'lbw' ? 'Leg before' : made.kind[0]?.toUpperCase() + made.kind.slice(1);
  const decision = made.given_out ? 'out' : 'not out';
  const looks = LOOKS[made.evidence] ?? made.evidence;
  return `${kind}, given ${decision}: from the middle ${looks}. ${many(made.reviews_left, 'review')} left.`;
}

const INTENTS: Record<string, string> = { normal: 'as usual' };
export const intentName = (intent: string): string => INTENTS[intent] ?? intent;

/** Return the arguments of a delivery or a stroke: `yorker, on the stumps`, or `as it comes` if all are natural. */
export function chosenWords(values: Arguments): string {
  const say = (name: string, words: (value: string) => string): string =>
    typeof values[name] === 'string' ? words(values[name]) : '';
  const parts = [
    say('variation', (value) => variationName(value) || value),
    say('length', lengthName),
    say('line', lineName),
    say('intent', intentName),
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

export const presetWords = (preset: string): string => (preset === 'standard' ? 'as play asks' : presetName(preset));
