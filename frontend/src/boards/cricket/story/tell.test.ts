import { describe, expect, it } from 'vitest';

import { board } from '..';
import { reduce } from '../reduce';
import { EMPTY, type State } from '../state';
import { stripOf, tally, turn } from './tell';
import { BALLS, EVENTS, LAST, next, STATES, STEPS, wholeOf } from '../testing/match';
import { result, stroke, surname, worth, worthOfMark } from '../vocabulary';

const mute = (state: State): State => ({ ...state, chances: [] });

describe('a recorded match in words', () => {
  it('reads as it was read before', async () => {
    const lines = STEPS.flatMap(({ event, before }) => {
      const told = board.tell(event, before);
      const marks = told.marks.map(
        ({ kind, label, seat, weight }) => `  [${kind} ${weight}] ${label} (${seat ?? 'all'})`,
      );
      return told.text ? [told.text, ...marks] : marks;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../fixtures/match.txt');
  });

  it('tells every ball once: with its chance where there is one, by itself where there is none', () => {
    const texts = STEPS.map(({ event, before }) => [event.type, board.tell(event, before).text] as const);
    const balls = texts.filter(([type, text]) => text && (type === 'BallBowled' || type === 'ChanceChanged'));
    expect(balls).toHaveLength(BALLS.length);
    for (const { event, before, ball } of BALLS) {
      expect(board.tell(event, before).text).toBe('');
      expect(board.tell(event, mute(before)).text).toContain(surname(before, ball.bowler));
    }
  });

  it('makes every ball, over and innings a step, and nothing else of play', () => {
    const steps = STEPS.filter(({ event, before }) => board.tell(event, before).text && board.tell(event, before).step);
    const types = new Set(steps.map(({ event }) => event.type));
    expect([...types].sort()).toEqual(
      [
        'ChanceChanged',
        'InningsEnded',
        'InningsStarted',
        'MatchDecided',
        'OverEnded',
        'PlayInterrupted',
        'SuperOverStarted',
        'TossMade',
      ].sort(),
    );
  });

  it('names no shot, place or speed that the event does not', () => {
    for (const { ball, after } of BALLS) {
      const entry = after.log.findLast(({ kind }) => kind === 'ball');
      expect(entry).toMatchObject({ ball });
      if (!ball.played) expect(stroke(ball)).not.toMatch(/drive|pull|hook|cut|sweep|flick|loft/);
      if (!ball.zone) expect(stroke(ball)).not.toContain(' to ');
    }
  });
});

describe('how a ball was played', () => {
  const { ball } = BALLS[0] as (typeof BALLS)[number];
  const six = { runs: 6, total: 6, boundary: true, hit: [-40, 91], extras: null, wicket: null };

  it('is said in the words of the event', () => {
    expect(stroke({ ...ball, runs: 0, boundary: false, words: 'beaten, driving' })).toBe('beaten, driving');
  });

  it('comes with the carry of a six', () => {
    expect(stroke({ ...ball, ...six, words: 'lofted over extra cover' })).toBe('lofted over extra cover, 91 m');
  });

  it('is stroke and sector in a record that has no such words', () => {
    const old = { ...ball, ...six, played: 'slog', zone: 'midwicket', words: null };
    expect(stroke(old)).toBe('slog to midwicket, 91 m');
  });
});

describe('what a ball came to', () => {
  const ball = (BALLS[0] as (typeof BALLS)[number]).ball;
  const described = (change: object): string =>
    result({ ...ball, runs: 0, total: 0, extras: null, wicket: null, boundary: false, ...change });

  it('is said as commentators do', () => {
    expect(described({})).toBe('no run');
    expect(described({ runs: 1, total: 1 })).toBe('1 run');
    expect(described({ runs: 4, total: 4, boundary: true })).toBe('FOUR');
    expect(described({ runs: 4, total: 4 })).toBe('4 runs');
    expect(described({ runs: 6, total: 6, boundary: true })).toBe('SIX');
    expect(described({ total: 1, extras: { wides: 1 } })).toBe('wide');
    expect(described({ total: 5, extras: { wides: 5 }, boundary: true })).toBe('FOUR, 5 wides');
    expect(described({ total: 3, runs: 2, extras: { noballs: 1 } })).toBe('no-ball, 2 runs');
    expect(described({ total: 1, extras: { legbyes: 1 } })).toBe('1 leg bye');
    expect(described({ total: 4, extras: { byes: 4 }, boundary: true })).toBe('FOUR, 4 byes');
    expect(described({ runs: 1, total: 1, wicket: { kind: 'run out' } })).toBe('OUT, 1 run');
  });

  it('has one worth, the same from the ball as from its mark', () => {
    for (const { ball } of BALLS) expect(worthOfMark(ball.mark)).toBe(worth(ball));
  });
});

describe('names', () => {
  it('are the family name, or the whole one where two share it', () => {
    const player = (name: string): object => ({ name, role: 'batter', hand: 'right', style: null });
    const side = (...names: string[]): object => ({
      name: 'A',
      short: 'A',
      captain: '',
      keeper: '',
      players: names.map(player),
    });
    const state = {
      ...EMPTY,
      teams: { home: side('Rohan Sharma', 'Kiran Rao'), away: side('Vikas Sharma') },
    } as unknown as State;
    expect(['Rohan Sharma', 'Kiran Rao', 'Nobody Known'].map((name) => surname(state, name))).toEqual([
      'Rohan Sharma',
      'Rao',
      'Nobody Known',
    ]);
  });

  it('of seats are those of the sides, once they are known', () => {
    expect(board.names().seat('home').name).toBe('Home');
    expect(board.names(LAST).seat('away').name).toBe(LAST.teams['away']?.name);
    expect(board.names(LAST).seat('home').short).toBe(LAST.teams['home']?.short);
  });

  it('of turns are innings and ball', () => {
    expect(turn('1st innings 4.3')).toEqual({
      title: '1st innings, ball 4.3',
      tick: '1st 5',
      chapter: '1st innings, over 5',
    });
    expect(turn('Super Over 1, 2nd innings 0.1')).toEqual({
      title: 'Super Over 1, 2nd innings, ball 0.1',
      tick: 'SO 2nd',
      chapter: 'Super Over 1, 2nd innings, over 1',
    });
    expect(turn('Toss')).toEqual({ title: 'Toss', tick: 'Toss', chapter: 'Toss' });
  });
});

describe('the tally', () => {
  it('is runs and wickets, and the Super Over beside them', () => {
    expect(tally(EMPTY, 'home')).toBe('–');
    expect(tally(LAST, 'home')).toMatch(/^\d+\/\d+ & \d+\/\d+$/);
    const first = STATES.find((state) => state.innings.length === 1) as State;
    expect([tally(first, first.innings[0]?.batting ?? ''), tally(first, first.innings[0]?.bowling ?? '')]).toEqual([
      '0/0',
      '–',
    ]);
  });
});

describe('markers', () => {
  const kinds = EVENTS.flatMap((event, n) => board.tell(event, STATES[n] as State).marks).map(({ kind }) => kind);
  it('are there for every wicket, boundary and the end', () => {
    const count = (kind: string): number => kinds.filter((marker) => marker === kind).length;
    expect(count('wicket')).toBe(BALLS.filter(({ ball }) => ball.wicket).length);
    expect(count('boundary')).toBe(BALLS.filter(({ ball }) => ball.boundary && !ball.wicket).length);
    expect(count('win')).toBe(1);
  });
});

describe('a match that begins in the middle', () => {
  const over = STEPS.find(({ event }) => event.type === 'OverEnded');
  const whole = over && wholeOf(over.event);
  it('says where', () => {
    const event = next('MatchStarted', { toss_winner: 'home', state: whole });
    expect(board.tell(event, EMPTY).text).toMatch(/^Play begins with .+ \d+\/\d+ after 1\.0 overs$/);
    expect(reduce(EMPTY, event).log).toHaveLength(1);
    expect(STATES[2]?.log).toEqual([]);
  });
});

describe('the strip above the board', () => {
  it('leaves the side that bats to the scoreboard, until the match is over', () => {
    const [batting] = STATES.flatMap((state) => (state.result === null ? (state.innings.at(-1)?.batting ?? []) : []));
    const open = STATES.find((state) => state.result === null && state.innings.at(-1)?.batting === batting);
    if (!open || !batting) throw new Error('the match has no innings');
    expect(stripOf(open, batting)).toMatchObject({ shown: '', count: tally(open, batting) });
    expect(['home', 'away'].map((seat) => stripOf(LAST, seat).shown)).toEqual([
      tally(LAST, 'home'),
      tally(LAST, 'away'),
    ]);
    expect(stripOf(undefined, 'home')).toEqual({ count: '' });
  });
});

describe('plans for overs', () => {
  it('are told with what they were worth once the over has ended', () => {
    const judged = { seat: 'home', innings: 1, over: 3, plan: { theme: 'hard_length', zone: 'stumps' }, delta: 0.0123 };
    const told = (data: object): string => board.tell(next('PlanJudged', data), LAST).text;
    expect(told(judged)).toMatch(/ planned over 4: hard length; on the stumps, worth .*1\.2 points$/);
    expect(told({ ...judged, plan: { intents: { 'A Batter': 'attack' } }, delta: null })).toMatch(
      / planned over 4: A Batter: attack$/,
    );
  });
});
