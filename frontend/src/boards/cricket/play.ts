/** The effect of one ball on an innings, and on the state between two balls. */

import type { BallBowled, BatterLine, Extras } from './events.gen';
import type { BowlerLine, Innings, Now, OverSummary } from './state';
import { wicketOf } from './vocabulary';

/** Return the innings after `ball`; `how` is what the scorecard says of a dismissal. */
export function score(innings: Innings, ball: BallBowled, how: string): Innings {
  const [runs = 0, wickets = 0, balls = 0] = ball.score;
  const wicket = wicketOf(ball);
  return {
    ...innings,
    runs,
    wickets,
    balls,
    extras: withExtras(innings.extras, ball),
    batters: upsert(innings.batters, ball.batter, newBatter, (line) => batted(line, ball)).map((line) =>
      wicket?.out === line.name ? { ...line, out: how } : line,
    ),
    bowlers: upsert(innings.bowlers, ball.bowler, newBowler, (line) => bowled(line, ball)),
    fall: wicket ? [...innings.fall, { runs, name: wicket.out, balls }] : innings.fall,
  };
}

/** Return `lines` with the one of `name` changed, or with a new one at the end. */
export function upsert<T extends { readonly name: string }>(
  lines: readonly T[],
  name: string,
  make: (name: string) => T,
  change: (line: T) => T,
): readonly T[] {
  if (!lines.some((line) => line.name === name)) return [...lines, change(make(name))];
  return lines.map((line) => (line.name === name ? change(line) : line));
}

export const newBatter = (name: string): BatterLine => ({ name, r: 0, b: 0, f: 0, s: 0, out: null });
export const newBowler = (name: string): BowlerLine => ({
  name,
  balls: 0,
  maidens: 0,
  runs: 0,
  wickets: 0,
  wides: 0,
  noballs: 0,
});

function batted(line: BatterLine, { batter_card: [r = 0, b = 0, f = 0, s = 0] }: BallBowled): BatterLine {
  return { ...line, r, b, f, s };
}

function bowled(line: BowlerLine, ball: BallBowled): BowlerLine {
  const [balls = 0, maidens = 0, runs = 0, wickets = 0] = ball.bowler_card;
  const wides = line.wides + (ball.extras?.['wides'] ? 1 : 0);
  const noballs = line.noballs + (ball.extras?.['noballs'] ? 1 : 0);
  return { ...line, balls, maidens, runs, wickets, wides, noballs };
}

function withExtras(extras: Extras, ball: BallBowled): Extras {
  const more = ball.extras;
  if (!more) return extras;
  return {
    b: extras.b + (more['byes'] ?? 0),
    lb: extras.lb + (more['legbyes'] ?? 0),
    w: extras.w + (more['wides'] ?? 0),
    nb: extras.nb + (more['noballs'] ?? 0),
    p: extras.p + (more['penalty'] ?? 0),
  };
}

/**
 * Return the batters at both ends after the ball. They change ends after an odd number of runs; a wicket leaves an end
 * vacant.
 */
export function after(now: Now, ball: BallBowled): Now {
  const { byes = 0, legbyes = 0, wides = 0 } = ball.extras ?? {};
  const run = ball.runs + byes + legbyes + Math.max(0, wides - 1);
  const crossed = run % 2 === 1 && !ball.boundary;
  const out = wicketOf(ball)?.out;
  const stands = (name: string): string | null => (name === out ? null : name);
  const [runs = 0, balls = 0] = ball.partnership;
  return {
    ...now,
    striker: stands(crossed ? ball.non_striker : ball.batter),
    nonStriker: stands(crossed ? ball.batter : ball.non_striker),
    bowler: ball.bowler,
    thisOver: [...now.thisOver, ball.mark],
    partnership: [runs, balls],
    freeHit: ball.next_free_hit,
    appeal: null,
    review: null,
  };
}

/** Return the over that has ended. `innings` and `now` are the states before it was counted. */
export function summary(innings: Innings, now: Now, maiden: boolean): OverSummary {
  const before = innings.byOver.reduce((sum, [runs]) => sum + runs, 0);
  const fallen = innings.byOver.reduce((sum, [, wickets]) => sum + wickets, 0);
  const at = [now.striker, now.nonStriker];
  const bowler = innings.bowlers.find(({ name }) => name === now.bowler) ?? newBowler(now.bowler ?? '');
  return {
    innings: innings.number,
    over: innings.byOver.length + 1,
    runs: innings.runs - before,
    wickets: innings.wickets - fallen,
    maiden,
    marks: now.thisOver,
    total: [innings.runs, innings.wickets],
    bowler: { ...bowler, maidens: bowler.maidens + Number(maiden) },
    batters: innings.batters.filter(({ name }) => at.includes(name)),
  };
}

const FIFTY = 50;
const FIVE = 5;

/** Return milestones of the ball: fifties, and a fifth wicket: `Okonjo 50 (31 balls)`. */
export function milestones(innings: Innings, ball: BallBowled, name: (player: string) => string): string[] {
  const [runs = 0, balls = 0] = ball.batter_card;
  const passed = (now: number, by: number): number | null =>
    Math.floor(now / FIFTY) > Math.floor((now - by) / FIFTY) ? FIFTY * Math.floor(now / FIFTY) : null;
  const texts = [];
  const fifty = passed(runs, ball.runs);
  if (fifty) texts.push(`${fifty} for ${name(ball.batter)} off ${balls} balls`);
  const [stand = 0, over = 0] = ball.partnership;
  const together = passed(stand, ball.total);
  if (together) texts.push(`${together} partnership off ${over} balls`);
  const team = passed(innings.runs + ball.total, ball.total);
  if (team) texts.push(`${team} up in ${Math.floor((ball.score[2] ?? 0) / 6)}.${(ball.score[2] ?? 0) % 6} overs`);
  const taken = (ball.bowler_card[3] ?? 0) - (innings.bowlers.find((line) => line.name === ball.bowler)?.wickets ?? 0);
  if (taken > 0 && ball.bowler_card[3] === FIVE) texts.push(`Five wickets for ${name(ball.bowler)}`);
  return texts;
}
