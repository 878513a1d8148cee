/** The vocabulary of cricket for the content of events. */

import { plain } from '../../lib/text';
import { many } from '../../lib/say';
import type { BallBowled, PlayerSheet, TeamSheet, Wicket } from './events.gen';
import type { State } from './state';

const LENGTHS: Record<string, string> = {
  full_toss: 'full toss',
  good: 'good length',
  back_of_length: 'back of a length',
};
const LINES: Record<string, string> = {
  wide_outside_off: 'wide outside off',
  off_channel: 'in the off channel',
  stumps: 'on the stumps',
  leg: 'on leg',
};
const VARIATIONS: Record<string, string> = {
  slower_ball: 'slower ball',
  quick: 'quicker ball',
  wrong_un: 'wrong ’un',
  quicker: 'quicker ball',
};
const SHOTS: Record<string, string> = { inside_out_loft: 'inside-out loft', loft_straight: 'straight loft' };
const ZONES: Record<string, string> = { long_on: 'long-on', long_off: 'long-off' };
const PRESETS: Record<string, string> = {
  pp_attack: 'powerplay, attacking',
  pp_defend: 'powerplay, defensive',
  middle_spin: 'middle overs, spin',
  middle_pace: 'middle overs, pace',
  death_yorker: 'death, yorkers',
  death_wide_yorker: 'death, wide yorkers',
  death_short: 'death, short balls',
  four_out_pace: 'four out, pace',
  four_out_spin: 'four out, spin',
  pp_ring: 'powerplay, ring',
  pp_slip: 'powerplay, slip',
  pp_spin: 'powerplay, spin',
  middle_cow_corner: 'middle overs, cow corner',
  middle_point: 'middle overs, point',
  death_slip: 'death, slip',
  pp_medium: 'powerplay, keeper up',
  middle_medium: 'middle overs, keeper up',
};
const NOT_SAID = new Set(['natural', 'stock']);

const spaced = (word: string): string => word.replaceAll('_', ' ');
const worded = (words: Record<string, string>, word: string): string => words[word] ?? spaced(word);

export const lengthName = (length: string): string => worded(LENGTHS, length);
export const lineName = (line: string): string => worded(LINES, line);
export const shotName = (shot: string): string => worded(SHOTS, shot);
export const zoneName = (zone: string): string => worded(ZONES, zone);
export const presetName = (preset: string | null | undefined): string => (preset ? worded(PRESETS, preset) : 'its own');
/** Return the name of a variation, or '' if it needs none. */
export const variationName = (variation: string): string =>
  NOT_SAID.has(variation) ? '' : worded(VARIATIONS, variation);

export const capital = (text: string): string => plain(text.charAt(0).toUpperCase() + text.slice(1), 200);

/** Return whether an appeal is a decision on a wide or a no-ball. */
export const isExtra = (kind: string | null | undefined): kind is 'wide' | 'no-ball' =>
  kind === 'wide' || kind === 'no-ball';

/** Return overs: `14.3` for 87 legal balls. */
export const oversOf = (balls: number): string => `${Math.floor(balls / 6)}.${balls % 6}`;

/** Return a number of balls, or of whole overs, for sentences like `Royals need 41 off 21`. */
export const spell = (balls: number): string =>
  balls % 6 === 0 && balls >= 30 ? many(balls / 6, 'over') : many(balls, 'ball');

export function teamName(state: State, seat: string): string {
  return plain(state.teams[seat]?.name ?? (seat === 'home' ? 'Home' : seat === 'away' ? 'Away' : seat), 40);
}

export function teamShort(state: State, seat: string): string {
  return plain(state.teams[seat]?.short ?? seat.slice(0, 3).toUpperCase(), 4);
}

/** Return the eleven of a side, and its bench. */
export const squad = ({ players, bench = [] }: TeamSheet): readonly PlayerSheet[] => [...players, ...bench];

/** Return the names of those who play for a side in an innings. */
export function eleven(state: State, seat: string, innings: number): readonly string[] {
  const names = state.teams[seat]?.players.map(({ name }) => name) ?? [];
  const came = state.replaced[seat];
  if (!came || came.innings > innings) return names;
  return [...names.filter((name) => name !== came.replaces), came.player];
}

/** Return the mark of a player on the scorecard: `↑` who came in as the impact player, `↓` whom he replaced. */
export function impactMark(state: State, name: string): '' | ' ↑' | ' ↓' {
  const all = Object.values(state.replaced);
  if (all.some(({ player }) => player === name)) return ' ↑';
  return all.some(({ replaces }) => replaces === name) ? ' ↓' : '';
}

const SURNAMES = new WeakMap<State['teams'], Map<string, string>>();

/** Return a player's family name, or the full name if two players of the match share it. */
export function surname(state: State, name: string): string {
  let names = SURNAMES.get(state.teams);
  if (!names) {
    const all = Object.values(state.teams).flatMap((team) => squad(team).map((player) => player.name));
    const last = (whole: string): string => whole.slice(whole.lastIndexOf(' ') + 1);
    names = new Map(
      all.map((whole) => [whole, all.filter((other) => last(other) === last(whole)).length > 1 ? whole : last(whole)]),
    );
    SURNAMES.set(state.teams, names);
  }
  return plain(names.get(name) ?? name, 40);
}

/** Return the dismissal with family names: `c Okonjo b Deshkar`. */
export function dismissal(state: State, out: string): string {
  let words = plain(out, 120);
  for (const team of Object.values(state.teams)) {
    for (const { name } of squad(team)) words = words.replaceAll(name, surname(state, name));
  }
  return words;
}

/** Return what the scorecard says of the wicket: `c X b Y`, `st †X b Y`, `run out (X/Y)`; '' if there is none. */
export function howOut(state: State, ball: BallBowled): string {
  const wicket = wicketOf(ball);
  if (!wicket) return '';
  const { kind, fielders } = wicket;
  const keepers = Object.values(state.teams).map(({ keeper }) => keeper);
  const names = fielders.map((name) => (keepers.includes(name) ? `†${name}` : name));
  switch (kind) {
    case 'caught':
      return `${names[0] ? `c ${names[0]}` : kind} b ${ball.bowler}`;
    case 'stumped':
      return `${names[0] ? `st ${names[0]}` : kind} b ${ball.bowler}`;
    case 'caught and bowled':
      return `c & b ${ball.bowler}`;
    case 'bowled':
      return `b ${ball.bowler}`;
    case 'lbw':
    case 'hit wicket':
      return `${kind} b ${ball.bowler}`;
    default:
      return names.length ? `${kind} (${names.join('/')})` : kind;
  }
}

export function playerOf(state: State, name: string | null): PlayerSheet | undefined {
  if (name === null) return undefined;
  for (const team of Object.values(state.teams)) {
    const match = squad(team).find((player) => player.name === name);
    if (match) return match;
  }
  return undefined;
}

/** Return the kind of result that determines the colour of a ball. */
export function worth(ball: BallBowled): 'wicket' | 'six' | 'four' | 'run' | 'dot' {
  if (ball.wicket) return 'wicket';
  return boundary(ball) ?? (ball.total > 0 ? 'run' : 'dot');
}

/** Return the same from a mark of an over, where fours, sixes and five wides count as boundaries. */
export function worthOfMark(mark: string): ReturnType<typeof worth> {
  if (mark.endsWith('W')) return 'wicket';
  if (mark === '.') return 'dot';
  if (/^6(nb)?$/.test(mark)) return 'six';
  return /^(4(nb|l?b)?|5wd)$/.test(mark) ? 'four' : 'run';
}

/** Return whether a result is shown in large letters: a wicket, a boundary, a free hit for the next ball. */
export function isLoud(ball: BallBowled): boolean {
  return Boolean(ball.wicket) || ball.boundary || Boolean(ball.next_free_hit && ball.extras?.['noballs']);
}

/** Return `four` or `six` for a boundary, else null. */
export function boundary(ball: BallBowled): 'four' | 'six' | null {
  if (!ball.boundary) return null;
  return ball.runs === 6 ? 'six' : 'four';
}

/** Return the result of a ball: `FOUR`, `OUT`, `2 runs`, `no run`, `wide`, `no-ball, 1 run`. */
export function result(ball: BallBowled): string {
  const parts = [];
  const extras = ball.extras ?? {};
  if (extras['noballs']) parts.push('no-ball');
  if (ball.wicket) parts.push('OUT');
  const wides = extras['wides'] ?? 0;
  if (wides) parts.push(wides === 1 ? 'wide' : ball.boundary ? `FOUR, ${many(wides, 'wide')}` : many(wides, 'wide'));
  for (const [kind, noun] of [
    ['byes', 'bye'],
    ['legbyes', 'leg bye'],
  ] as const) {
    const runs = extras[kind] ?? 0;
    if (runs) parts.push(ball.boundary ? `FOUR, ${many(runs, noun)}` : many(runs, noun));
  }
  if (extras['penalty']) parts.push(`${many(extras['penalty'], 'penalty run')}`);
  if (ball.runs) parts.push(ball.boundary ? (ball.runs === 6 ? 'SIX' : 'FOUR') : many(ball.runs, 'run'));
  return parts.length ? parts.join(', ') : 'no run';
}

/** A ball whose delivery is known; the record of a real match does not contain it. */
export type PicturedBall = BallBowled & { landed: string[]; pitch: number[] };

export const pictured = (ball: BallBowled): ball is PicturedBall => ball.landed != null && ball.pitch != null;

/** Return the delivery: `back of a length, in the off channel, 134 km/h`; '' if it is not known. */
export function bowled(ball: BallBowled): string {
  const [length, line] = ball.landed ?? [];
  const words = [
    ball.variation ? variationName(ball.variation) : '',
    length ? lengthName(length) : '',
    line ? lineName(line) : '',
    ball.kmh == null ? '' : `${ball.kmh} km/h`,
  ];
  return words.filter(Boolean).join(', ');
}

/**
 * Return how the ball was played, `pulled through midwicket`, or why it was not: `left alone`. A six has its carry. Older
 * records have the stroke and the sector only; '' if the event contains neither.
 */
export function stroke(ball: BallBowled): string {
  const carry = boundary(ball) === 'six' && ball.hit ? `, ${ball.hit[1]} m` : '';
  return `${ball.words ? plain(ball.words, 120) : strokeAndSector(ball)}${carry}`;
}

function strokeAndSector(ball: BallBowled): string {
  const shot = ball.played ? shotName(ball.played) : '';
  const zone = ball.zone ? zoneName(ball.zone) : '';
  if (shot && zone) return `${shot} to ${zone}`;
  return shot || (zone ? `to ${zone}` : '');
}

/** Return a sentence like `Deshkar to Marlowby, FOUR`. */
export function describeBall(state: State, ball: BallBowled): string {
  return `${surname(state, ball.bowler)} to ${surname(state, ball.batter)}, ${result(ball)}`;
}

/** Return the wicket: `Marlowby c Okonjo b Deshkar 34 (21b 3×4 2×6)`; '' if there is none. */
export function wicketLine(state: State, ball: BallBowled): string {
  const wicket = wicketOf(ball);
  if (!wicket) return '';
  const [runs, balls, fours, sixes] = wicket.card;
  const shots = [fours ? ` ${fours}×4` : '', sixes ? ` ${sixes}×6` : ''].join('');
  return `${surname(state, wicket.out)} ${dismissal(state, howOut(state, ball))} ${runs} (${balls}b${shots})`;
}

export const wicketOf = (ball: BallBowled): Wicket | null => ball.wicket ?? null;
