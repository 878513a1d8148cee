import { describe, expect, it } from 'vitest';

import { board } from '.';
import type { GameEvent, PublicState, TeamSheet } from './events.gen';
import { adopt } from './fromSnapshot';
import { reduce } from './reduce';
import { current, EMPTY, type State } from './state';
import { BALLS, EVENTS, LAST, next, STATES, STEPS, SUMMARY, wholeOf } from './testing/match';
import { eleven, impactMark, playerOf, surname } from './vocabulary';

const positions = STEPS.flatMap((step) => {
  const whole = wholeOf(step.event);
  return whole ? [{ ...step, whole }] : [];
});

describe('the board', () => {
  it('shows exactly the position that the game gives', () => {
    expect(positions.length).toBeGreaterThan(14);
    for (const { after, whole } of positions) expect(adopt(after, whole)).toEqual(after);
  });

  it('knows the score cards from the balls alone, before the game gives them', () => {
    for (const { event, before, after } of positions.slice(1)) {
      const blind = reduce(before, { ...event, data: { ...event.data, state: null } } as GameEvent);
      const cards = (state: State): unknown =>
        state.innings.map(({ runs, wickets, balls, extras, batters, fall, bowlers }) => ({
          ...{ runs, wickets, balls, extras, batters, fall },
          // A maiden over that ends an innings is told by the position alone.
          bowlers: bowlers.map((line) => ({ ...line, maidens: 0 })),
        }));
      expect(cards(blind)).toEqual(cards(after));
    }
  });

  it('knows who is on strike before every ball', () => {
    expect(BALLS.length).toBeGreaterThan(70);
    for (const { before, ball } of BALLS) {
      expect([before.now.striker, before.now.nonStriker]).toEqual([ball.batter, ball.non_striker]);
      expect(before.now.bowler).toBe(ball.bowler);
    }
  });

  it('has eleven places in the field for every ball, and the fielders of that bowler', () => {
    for (const { before, ball } of BALLS) {
      const names = Object.values(before.now.places);
      expect(names).toHaveLength(9);
      expect(names).not.toContain(ball.bowler);
    }
  });

  it('keeps a field that stays when a bowler leaves it, with the fielders whom the event names', () => {
    const before = STATES.find((state) => Object.keys(state.now.places).length === 9) ?? EMPTY;
    const places = Object.fromEntries(Object.keys(before.now.places).map((place, n) => [place, `Fielder ${n}`]));
    const chosen = (data: object): State =>
      reduce(before, next('BowlerChosen', { innings: 1, over: 3, bowler: 'New', ...data }));
    expect(chosen({ places }).now.places).toEqual(places);
    expect(chosen({}).now.places).toEqual(before.now.places);
    expect(chosen({ places }).now.bowler).toBe('New');
  });

  it('knows the impact player from the event and from the position', () => {
    const { home } = LAST.teams;
    const [comes, replaces] = ['Sub Stitute', home?.players.at(-1)?.name ?? ''];
    const bench = [{ name: comes, role: 'batter', hand: 'left', style: null }];
    const before: State = { ...LAST, teams: { ...LAST.teams, home: { ...home, bench } as TeamSheet } };
    const after = reduce(
      before,
      next('PlayerReplaced', { innings: 2, over: 0, seat: 'home', player: comes, replaces }),
    );
    expect(after.replaced).toEqual({ home: { innings: 2, player: comes, replaces } });
    expect([impactMark(after, comes), impactMark(after, replaces), impactMark(before, comes)]).toEqual([
      ' ↑',
      ' ↓',
      '',
    ]);
    expect(eleven(after, 'home', 1)).toContain(replaces);
    expect(eleven(after, 'home', 2)).toHaveLength(11);
    expect(eleven(after, 'home', 2)).toContain(comes);
    expect(eleven(after, 'home', 2)).not.toContain(replaces);
    expect([surname(after, comes), playerOf(after, comes)?.hand]).toEqual(['Stitute', 'left']);
    const whole = positions.at(-1)?.whole as PublicState;
    expect(adopt(EMPTY, { ...whole, replaced: after.replaced }).replaced).toEqual(after.replaced);
  });

  it('comes to the same from a snapshot and what followed as from the beginning', () => {
    for (const { event, whole } of positions) {
      const at = EVENTS.indexOf(event);
      const state = EVENTS.slice(at + 1).reduce(reduce, board.begin(SUMMARY, whole));
      expect(state.innings).toEqual(LAST.innings);
      expect([state.teams, state.result, state.toss]).toEqual([LAST.teams, LAST.result, LAST.toss]);
    }
  });

  it('keeps what did not change', () => {
    const second = STATES.find((state) => state.innings.length === 2) as State;
    expect(LAST.innings[0]).toBe(second.innings[0]);
    for (const { before, after } of positions.slice(1)) expect(after.teams).toBe(before.teams);
    for (const { before, after } of STEPS) {
      for (const [n, entry] of before.log.entries()) expect(after.log[n]).toBe(entry);
    }
  });

  it('leaves alone what it does not know', () => {
    for (const type of ['TurnStarted', 'ActionChosen', 'EpisodeEnded', 'Unheard']) {
      expect(reduce(LAST, next(type, { innings: 1 }))).toBe(LAST);
    }
    expect(reduce(EMPTY, next('BallBowled', { innings: 1, score: [0, 0, 0] }))).toBe(EMPTY);
  });
});

describe('what the ground shows', () => {
  it('is the last ball, with its field, until the next one is prepared', () => {
    for (const { after, before, ball } of BALLS) {
      expect(after.scene).toMatchObject({ ball, striker: ball.batter, bowler: ball.bowler, innings: ball.innings });
      expect(after.scene.places).toBe(before.now.places);
    }
    for (const { event, before, after } of STEPS) {
      if (['OverEnded', 'InningsEnded', 'InningsStarted', 'MatchDecided'].includes(event.type)) {
        expect(after.scene.ball).toBe(before.scene.ball);
      }
      if (['FieldSet', 'BowlerChosen', 'BatterArrived'].includes(event.type)) expect(after.scene.ball).toBeNull();
    }
  });
});

describe('a review', () => {
  const ball = BALLS[3];
  if (!ball) throw new Error('the match has no balls');
  const appeal = { innings: 1, ball: ball.ball.ball, kind: 'lbw', batter: ball.ball.batter, bowler: ball.ball.bowler };
  const asked = reduce(
    ball.before,
    next('AppealMade', { ...appeal, given_out: true, may_review: 'home', evidence: 'close', reviews_left: 2 }),
  );
  const taken = reduce(
    asked,
    next('ReviewTaken', { ...appeal, seat: 'home', upheld: false, umpires_call: false, out: true, reviews_left: 1 }),
  );

  it('waits, is taken, and belongs to its ball alone', () => {
    expect(asked.now.appeal?.kind).toBe('lbw');
    expect(taken.now.appeal).toBeNull();
    expect(taken.now.reviews['home']).toBe(1);
    const bowled = reduce(taken, ball.event);
    expect(bowled.review?.kind).toBe('lbw');
    expect(bowled.now.review).toBeNull();
    expect(reduce(bowled, BALLS[4]?.event ?? ball.event).review).toBeNull();
  });
});

describe('a batter who leaves', () => {
  const { after } = BALLS[5] as (typeof BALLS)[number];
  const striker = after.now.striker ?? '';
  const innings = (state: State): { wickets: number; out: string | null | undefined } => {
    const card = current(state);
    return { wickets: card?.wickets ?? -1, out: card?.batters.find(({ name }) => name === striker)?.out };
  };
  const leave = (kind: string): State =>
    reduce(after, next('BatterRetired', { innings: 1, batter: striker, kind, score: [] }));

  it('hurt is no wicket, and may come back', () => {
    const hurt = leave('retired hurt');
    expect(innings(hurt)).toEqual({ wickets: innings(after).wickets, out: 'retired hurt' });
    expect(hurt.now.striker).toBeNull();
    expect(hurt.now.partnership).toEqual(after.now.partnership);
    const back = reduce(hurt, next('BatterArrived', { innings: 1, batter: striker, position: 1, striker: true }));
    expect(innings(back).out).toBeNull();
    expect([back.now.striker, back.now.nonStriker]).toEqual([striker, after.now.nonStriker]);
  });

  it('by choice is a wicket', () => {
    const gone = leave('retired out');
    expect(innings(gone)).toEqual({ wickets: innings(after).wickets + 1, out: 'retired out' });
    expect(gone.now.partnership).toEqual([0, 0]);
  });
});

describe('rain', () => {
  it('shortens the innings and moves the target', () => {
    const rain = STEPS.find(({ event }) => event.type === 'PlayInterrupted');
    const data = rain?.event.type === 'PlayInterrupted' ? rain.event.data : null;
    const chase = STATES.find((state) => state.innings.length === 2);
    expect(chase && current(chase)?.overs).toBe(6);
    expect(data?.overs).toBe(5);
    expect(data?.target).toBeLessThan(current(chase ?? EMPTY)?.target ?? 0);
    expect(rain && current(rain.after)).toMatchObject({ overs: 5, target: data?.target });
    expect(rain?.after.method).toBe('D/L Standard');
  });
});
