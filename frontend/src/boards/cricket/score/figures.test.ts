import { describe, expect, it } from 'vitest';

import { ticks } from '../../../lib/chart/scale';
import { callOf, ledger, percent, points } from './chances';
import { figures, mirror } from './figures';
import { atWicket, badges, figuresOf, situation } from './header';
import {
  chase,
  lastOvers,
  overBars,
  overTicks,
  partnerships,
  projected,
  projects,
  rate,
  steps,
  strikeRate,
} from './rates';
import { ballsOf, current, EMPTY, type State } from '../state';
import { BALLS, LAST, STATES, STEPS } from '../testing/match';
import { PITCH, ROPE } from '../ground/places';
import { lengths, picked, spokes, zones } from './wheel';
import { playerOf } from '../vocabulary';

describe('who stands on the ground', () => {
  it('are eleven fielders and two batters for every ball, each once', () => {
    for (const { after, ball } of BALLS) {
      const men = figures(after);
      const of = (kinds: string[]): string[] => men.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key);
      expect(new Set(of(['fielder', 'keeper', 'bowler'])).size).toBe(11);
      expect(of(['striker', 'non-striker'])).toHaveLength(2);
      expect(new Set(men.map(({ key }) => key)).size).toBe(13);
      expect(mirror(after)).toBe(playerOf(after, ball.batter)?.hand === 'left' ? -1 : 1);
    }
    expect(figures(EMPTY)).toEqual([]);
  });
});

describe('the scoreboard', () => {
  it('has the striker marked, and both at the wicket', () => {
    for (const { before, ball } of BALLS) {
      const pair = atWicket(before);
      expect(pair.map(({ name }) => name).sort()).toEqual([ball.batter, ball.non_striker].sort());
      expect(pair.filter(({ onStrike }) => onStrike).map(({ name }) => name)).toEqual([ball.batter]);
    }
  });

  it('counts what a chase needs as the event does', () => {
    const chases = BALLS.filter(({ ball, after }) => ball.need != null && after.result === null);
    expect(chases.length).toBeGreaterThan(30);
    for (const { after, ball } of chases) {
      const innings = after.innings[ball.innings - 1];
      if (innings) expect(chase(innings)?.need).toBe(ball.need);
    }
  });

  it('says that the target is reached, and not that less than nothing is needed', () => {
    const open = BALLS.map(({ after }) => after).findLast((state) => state.result === null && current(state)?.target);
    const innings = open && current(open);
    if (!open || !innings) throw new Error('the match has no chase');
    const won = { ...innings, runs: (innings.target ?? 0) + 3, closed: null };
    const changed = open.innings.map((each) => (each === innings ? won : each));
    expect(situation({ ...open, innings: changed }).head).toBe('Target reached');
  });

  it('says what stands, and how it ended', () => {
    expect(situation(EMPTY).head).toBe('Before the toss');
    expect(situation(LAST).head).toBe('Match tied; Riverbend Otters won the Super Over');
    expect(figuresOf({ name: '', balls: 21, maidens: 0, runs: 28, wickets: 1, wides: 0, noballs: 0 })).toBe(
      '3.3-0-28-1',
    );
    expect(figuresOf({ name: '', balls: 24, maidens: 1, runs: 30, wickets: 2, wides: 0, noballs: 0 })).toBe('4-1-30-2');
  });

  it('has badges for the free hit and the powerplay while they last', () => {
    const shown = (state: State): string[] => badges(state).map(({ id }) => id);
    for (const { before, ball } of BALLS) {
      expect(shown(before).includes('free')).toBe(ball.free_hit);
      const innings = before.innings[ball.innings - 1];
      expect(shown(before).includes('powerplay')).toBe((innings?.balls ?? 0) < (innings?.powerplay ?? 0));
    }
    expect(shown(LAST)).toEqual([]);
  });
});

describe('figures by arithmetic', () => {
  it('add up to the score, by overs and by partnerships', () => {
    for (const innings of LAST.innings) {
      const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
      const bars = overBars(innings);
      expect([sum(bars.map(({ runs }) => runs)), sum(bars.map(({ wickets }) => wickets))]).toEqual([
        innings.runs,
        innings.wickets,
      ]);
      const pairs = partnerships(LAST, innings.number);
      expect(sum(pairs.map(({ runs }) => runs))).toBe(innings.runs);
      expect(pairs.filter(({ closed }) => closed)).toHaveLength(innings.wickets);
      for (const { shares, runs } of pairs) expect(shares[0] + shares[1]).toBeLessThanOrEqual(runs);
    }
  });

  it('has the pair at the wicket as the event has it', () => {
    for (const { after, ball } of BALLS.filter(({ ball }) => !ball.wicket)) {
      const last = partnerships(after, ball.innings).at(-1);
      expect([last?.runs, last?.balls]).toEqual(ball.partnership);
    }
  });

  it('steps to the score ball by ball, and over by over where the balls are not here', () => {
    for (const innings of LAST.innings) {
      for (const state of [LAST, { ...LAST, log: [] }]) {
        const all = steps(state, innings);
        expect(all[0]).toEqual({ balls: 0, runs: 0, wickets: 0 });
        expect(all.at(-1)).toEqual({ balls: innings.balls, runs: innings.runs, wickets: innings.wickets });
        for (const [n, step] of all.slice(1).entries()) expect(step.balls).toBeGreaterThanOrEqual(all[n]?.balls ?? 0);
      }
      expect(steps(LAST, innings)).toHaveLength(ballsOf(LAST, innings.number).length + 1);
    }
  });

  it('joins what is known over by over to what is known ball by ball', () => {
    const [innings] = LAST.innings;
    if (!innings) throw new Error('no innings');
    const late = LAST.log.filter(
      (entry) => entry.kind !== 'ball' || Number(entry.ball.ball) >= 2 || entry.ball.innings > 1,
    );
    const all = steps({ ...LAST, log: late }, innings);
    expect(all.slice(0, 3)).toEqual(
      steps(LAST, innings)
        .filter(({ balls }) => balls % 6 === 0)
        .filter((step, n, list) => list.findLastIndex(({ balls }) => balls === step.balls) === n)
        .slice(0, 3),
    );
    expect(all.at(-1)).toMatchObject({ runs: innings.runs });
  });

  it('is rates and projections by the book', () => {
    expect([rate(30, 18), rate(5, 0), strikeRate({ r: 30, b: 20 })]).toEqual([10, null, 150]);
    const [innings] = LAST.innings;
    if (!innings) throw new Error('no innings');
    expect(projected({ ...innings, runs: 60, balls: 30, overs: 20 }, 8)).toBe(180);
    const after = (balls: number, overs: number): boolean => projects({ ...innings, balls, overs });
    expect([after(2, 20), after(29, 20), after(30, 20), after(5, 2), after(6, 2)]).toEqual([
      ...[false, false, true],
      ...[false, true],
    ]);
    expect(lastOvers(innings, 50)).toBeNull();
    expect(lastOvers(innings, 1)).toEqual({ runs: innings.byOver.at(-1)?.[0], wickets: innings.byOver.at(-1)?.[1] });
  });
});

describe('the chances', () => {
  it('are in points with one digit, and small changes have no sign', () => {
    expect([0.5, -0.034, 0.0004].map(points)).toEqual(['+50.0', '−3.4', '0.0']);
  });

  it('are told after every ball, and their swing is the sum of its parts', () => {
    expect(LAST.chances.filter(({ ball }) => ball)).toHaveLength(BALLS.length);
    for (const { swing, matchup, luck, decisions } of LAST.chances) {
      const ours = decisions.reduce((sum, { seat, delta }) => sum + (seat === 'home' ? delta : -delta), 0);
      expect((matchup ?? 0) + (luck ?? 0) + ours).toBeCloseTo(swing, 3);
    }
  });

  it('weigh calls by seat, and luck against each other', () => {
    const [home, away] = ['home', 'away'].map((seat) => ledger(LAST.chances, seat));
    expect(home?.luck).toBeCloseTo(-(away?.luck ?? 0), 9);
    expect((home?.calls ?? 0) > 0 && (away?.calls ?? 0) >= 0).toBe(true);
    expect(home?.net).toBeCloseTo((home?.decisions ?? 0) - (away?.decisions ?? 0), 9);
    const since = LAST.chances.reduce((sum, { swing }) => sum + swing, 0);
    expect((home?.net ?? 0) + (home?.matchups ?? 0) + (home?.luck ?? 0)).toBeCloseTo(since, 3);
  });

  it('are said in per cent and points, and never as certain before they are', () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual(['0%', '<1%', '50%', '>99%', '100%']);
    expect([0.034, -0.002, 0.0001].map(points)).toEqual(['+3.4', '−0.2', '0.0']);
    expect(callOf({ seat: 'home', choice: {}, delta: 0 })).toBe('natural');
    expect(callOf({ seat: 'home', choice: { length: 'yorker', line: 'stumps', field: 'pp_defend' }, delta: 0 })).toBe(
      'yorker, on the stumps, field powerplay, defensive',
    );
    expect(callOf({ seat: 'home', choice: { field: ['point', 'cover'] }, delta: 0 })).toBe(
      'field of its own (2 places)',
    );
  });
});

describe('the wagon wheel and the pitch map', () => {
  const balls = ballsOf(LAST, 1);
  it('have every ball that was hit, and every run off the bat in a zone', () => {
    expect(spokes(balls)).toHaveLength(balls.filter(({ hit }) => hit).length);
    const inZones = zones(balls).reduce((sum, { runs }) => sum + runs, 0);
    expect(inZones).toBe(balls.filter(({ zone }) => zone).reduce((sum, { runs }) => sum + runs, 0));
    expect(lengths(balls).reduce((sum, row) => sum + row.balls, 0)).toBe(balls.length);
    const charged = LAST.innings[0]?.bowlers.reduce((sum, { runs }) => sum + runs, 0);
    expect(lengths(balls).reduce((sum, row) => sum + row.runs, 0)).toBe(charged);
  });

  it('ends a six beyond the rope, a four on it, and the rest inside', () => {
    const ends = LAST.innings.flatMap((_, index) => spokes(ballsOf(LAST, index + 1)));
    const out = (worth: string) =>
      ends.filter((spoke) => spoke.worth === worth).map(({ to }) => Math.hypot(to.leg, to.up - PITCH / 2) - ROPE);
    expect(out('six').length).toBeGreaterThan(0);
    expect(Math.min(...out('six'))).toBeGreaterThan(1.5);
    expect(Math.max(...out('four').map(Math.abs))).toBeLessThan(1e-6);
    expect(Math.max(...out('run'))).toBeLessThan(0);
  });

  it('can be narrowed to a batter and a bowler', () => {
    const [first] = balls;
    const some = picked(balls, { batter: first?.batter ?? null, bowler: first?.bowler ?? null });
    expect(some).toContain(first);
    expect(some.every(({ batter, bowler }) => batter === first?.batter && bowler === first?.bowler)).toBe(true);
    expect(picked(balls, { batter: null, bowler: null })).toEqual(balls);
  });
});

describe('axes', () => {
  it('have round ticks that reach the most', () => {
    for (const most of [3, 7, 36, 142, 260, 500]) {
      const all = ticks(0, most, 5);
      expect(all[0]).toBe(0);
      expect(all.at(-1)).toBeGreaterThanOrEqual(most);
      expect(all.length).toBeLessThanOrEqual(7);
      expect(all.every(Number.isInteger)).toBe(true);
    }
    expect(overTicks(5, 10)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(overTicks(20, 10)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20]);
  });
});

describe('the recorded match', () => {
  it('is the one that these tests need', () => {
    const types = new Set(STEPS.map(({ event }) => event.type));
    for (const type of ['PlayInterrupted', 'SuperOverStarted', 'ChanceChanged', 'FieldSet'])
      expect(types).toContain(type);
    expect(BALLS.some(({ ball }) => ball.free_hit) && BALLS.some(({ ball }) => ball.extras?.['wides'])).toBe(true);
    expect(STATES.length).toBeGreaterThan(200);
  });
});
