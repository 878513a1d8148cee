/** What the captains' calls of this match show so far: their habits, and how their plans worked. Super Overs are left out. */

import habits from '../../../../grandstand/games/cricket/data/habits.json';
import { many } from '../../lib/say';
import type { Leader } from '../game';
import type { CalledPlan, GameEvent } from './events.gen';
import { points } from './score/chances';
import { current, type By, type Captaincy, type Habit, type Innings, type State } from './state';

type Name = keyof typeof habits.usual;

const WORDS: Record<Name, readonly [more: string, noun: string]> = {
  slip: ['Keeps a slip', 'over'],
  attack: ['Asks for attack', 'ball'],
  care: ['Asks for care', 'ball'],
};
const NAMES = ['slip', 'attack', 'care'] as const;
const SLIPS = new Set(habits.slips);

const NEVER: Habit = { times: 0, chances: 0, expected: 0, variance: 0 };
const NONE = { called: false, worth: 0 };
const NEW: Captaincy = {
  ...{ slip: NEVER, attack: NEVER, care: NEVER },
  ...{ plans: false, worked: 0, failed: 0, worth: 0, over: NONE },
  reviews: { taken: 0, won: 0 },
};

/** Return the captains after `event`; `state` is the one before it. */
export function observe(state: State, event: GameEvent): State['captains'] {
  const { captains } = state;
  const innings = current(state);
  if (!captains || !innings || innings.superOver) return captains;
  const change = (seat: string, to: (own: Captaincy) => Captaincy): By<Captaincy> => ({
    ...captains,
    [seat]: to(captains[seat] ?? NEW),
  });
  switch (event.type) {
    case 'BallBowled': {
      const { intent, free_hit: free } = event.data;
      const asked = intent == null || free ? captains : change(innings.batting, (own) => ask(own, innings, intent));
      if (state.now.thisOver.length) return asked;
      const slip = Object.keys(state.now.places).some((place) => SLIPS.has(place));
      const own = captains[innings.bowling] ?? NEW;
      return { ...asked, [innings.bowling]: { ...own, slip: noted('slip', own.slip, innings, slip) } };
    }
    case 'PlanJudged': {
      const { seat, plan, delta = null } = event.data;
      const worth = departs(plan) ? delta : null;
      return change(seat, (own) => judged({ ...(own.plans ? own : blank(own)), plans: true }, worth));
    }
    case 'ChanceChanged':
      return event.data.decisions.reduce<By<Captaincy>>((all, { seat, choice, delta }) => {
        if ('impact' in choice) return all;
        const own = all[seat] ?? NEW;
        const over = {
          called: own.over.called || Object.keys(choice).length > 0,
          worth: own.over.worth + delta,
        };
        return { ...all, [seat]: { ...own, over } };
      }, captains);
    case 'ReviewTaken': {
      const { seat, upheld } = event.data;
      return change(seat, (own) => ({
        ...own,
        reviews: { taken: own.reviews.taken + 1, won: own.reviews.won + Number(upheld) },
      }));
    }
    case 'OverEnded':
    case 'InningsEnded':
      return Object.fromEntries(
        Object.entries(captains).map(([seat, own]) => {
          const called = own.over.called && !own.plans;
          return [seat, { ...(called ? judged(own, own.over.worth) : own), over: NONE }];
        }),
      );
    default:
      return captains;
  }
}

const blank = (own: Captaincy): Captaincy => ({ ...own, worked: 0, failed: 0, worth: 0 });

function judged(own: Captaincy, worth: number | null): Captaincy {
  if (worth === null) return own;
  const [good, poor] = [Number(worth >= habits.matters), Number(worth <= -habits.matters)];
  return { ...own, worked: own.worked + good, failed: own.failed + poor, worth: own.worth + worth };
}

/** Return whether a plan is not the natural one. */
function departs({ intents, shot, theme = 'natural', zone = 'natural' }: CalledPlan): boolean {
  if (intents) return shot !== undefined || Object.values(intents).some((intent) => intent !== 'normal');
  return theme !== 'natural' || zone !== 'natural';
}

function ask(own: Captaincy, innings: Innings, intent: string): Captaincy {
  const attack = noted('attack', own.attack, innings, habits.intents.attack.includes(intent));
  return { ...own, attack, care: noted('care', own.care, innings, habits.intents.care.includes(intent)) };
}

function noted(name: Name, habit: Habit, innings: Innings, done: boolean): Habit {
  const share = habits.usual[name][phaseOf(innings)];
  return {
    times: habit.times + Number(done),
    chances: habit.chances + 1,
    expected: habit.expected + share,
    variance: habit.variance + share * (1 - share),
  };
}

function phaseOf({ balls, overs, powerplay }: Innings): 'powerplay' | 'middle' | 'late' {
  if (balls < powerplay) return 'powerplay';
  return 6 * overs - balls <= habits.late ? 'late' : 'middle';
}

/** Return a captain's style so far, in words: `Keeps a slip in 5 of 6 overs (usually 2)`; '' before the first ball. */
export function styleOf(own: Captaincy): string {
  const unusual = NAMES.filter((name) => {
    const { times, expected, variance } = own[name];
    return variance > 0 && times - expected >= habits.unusual[name] * Math.sqrt(variance);
  });
  const words = unusual.map((name) => {
    const { times, chances, expected } = own[name];
    const [more, noun] = WORDS[name];
    const where = name === 'slip' ? 'in' : 'on';
    return `${more} ${where} ${times} of ${many(chances, noun)} (usually ${Math.round(expected)})`;
  });
  if (words.length) return words.join('; ');
  return own.slip.chances + own.attack.chances > 0 ? 'Nothing unusual in field or orders' : '';
}

/** Return the record of a captain's plans so far: `5 of 7 plans that mattered worked, +3.1 points`; '' if there are none. */
export function recordOf(own: Captaincy): string {
  const mattered = own.worked + own.failed;
  if (!mattered) return '';
  const worth = `${points(own.worth)} points`;
  return own.plans
    ? `${own.worked} of ${many(mattered, 'plan')} that mattered worked, ${worth}`
    : `Calls gained in ${own.worked} of ${many(mattered, 'over')}, ${worth}`;
}

/** Return a captain's reviews so far: `1 of 2 reviews won`; '' if there are none. */
export function reviewsOf({ reviews: { taken, won } }: Captaincy): string {
  return taken ? `${won} of ${many(taken, 'review')} won` : '';
}

/** Return the name of a side's captain and what his calls show so far; null if he is not known. */
export function leaderOf(state: State, seat: string): Leader | null {
  const name = state.teams[seat]?.captain;
  if (!name) return null;
  const own = state.captains?.[seat];
  const lines = own ? [styleOf(own), recordOf(own), reviewsOf(own)].filter(Boolean) : [];
  return { title: 'Captain', name, lines };
}
