import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import { board } from '.';
import { camera } from './ground/camera';
import Fielders from './ground/Fielders.svelte';
import { figures } from './score/figures';
import Flash from './score/Flash.svelte';
import Ground from './ground/Ground.svelte';
import Path from './ground/Path.svelte';
import { keeperTo, OVAL } from './ground/places';
import { EMPTY, type State } from './state';
import { capital, pictured } from './vocabulary';
import { BALLS, LAST, STATES, STEPS, SUMMARY, wholeOf } from './testing/match';

const view = camera(OVAL, 800, 520);
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const shown = (component: (typeof board.panels)[number]['component'], state: State): string =>
  render(component, { props: { episode: SUMMARY, state, previous: null, animate: false } }).body;
const fromSnapshot = STEPS.flatMap(({ event }) => {
  const whole = wholeOf(event);
  return whole ? [board.begin(SUMMARY, whole)] : [];
});
const sample = [
  EMPTY,
  ...STATES.filter((_, index) => index % 8 === 0),
  LAST,
  ...fromSnapshot.filter((_, n) => n % 4 === 0),
];

describe('the ground', () => {
  it('has everybody on it once, named with the position', () => {
    for (const { after } of BALLS.slice(0, 20)) {
      const men = figures(after);
      const { body } = render(Fielders, { props: { figures: men, camera: view, side: 1, size: 14, names: true } });
      expect(count(body, /role="button"/g)).toBe(13);
      for (const { name, position } of men) expect(body).toContain(`aria-label="${name}, ${position}"`);
    }
  });

  it('is drawn with rope, circle and pitch', () => {
    const { body } = render(Ground, { props: { camera: view, id: 'g' } });
    expect(count(body, /<path/g)).toBeGreaterThan(8);
    expect(body).not.toMatch(/NaN/);
  });

  it('marks a boundary and a wicket by its letter, and other balls not at all', () => {
    for (const { ball } of BALLS) {
      if (!pictured(ball)) throw new Error('a ball of a simulated match is known whole');
      const { body } = render(Path, {
        props: { ball, camera: view, side: 1, keeper: keeperTo('RF'), r: 4, animate: false },
      });
      const mark = /<text[^>]*>(\w)<\/text>/.exec(body)?.[1] ?? '';
      expect(mark).toBe(ball.wicket ? 'W' : ball.boundary && ball.hit ? String(ball.runs) : '');
    }
  });

  it('flashes what matters alone', () => {
    for (const { ball, after } of BALLS) {
      const { body } = render(Flash, { props: { board: after, ball, milestones: [], delay: 0 } });
      const matters = ball.wicket != null || ball.boundary || (ball.next_free_hit && ball.extras?.['noballs']);
      expect(body.includes('<strong')).toBe(Boolean(matters));
    }
  });
});

describe('the board and its panels', () => {
  it('show every moment: before play, from a snapshot, at the end', () => {
    for (const state of sample) {
      for (const component of [board.view, ...board.panels.map((panel) => panel.component)]) {
        const body = shown(component, state);
        expect(body.length).toBeGreaterThan(40);
        expect(body).not.toMatch(/NaN|undefined|\[object/);
      }
    }
  });

  it('give the score, the equation and the result', () => {
    const chase = BALLS.find(({ ball }) => ball.innings === 2 && (ball.need ?? 0) > 5) as (typeof BALLS)[number];
    expect(shown(board.view, chase.after)).toContain(`Need ${chase.ball.need} off`);
    expect(shown(board.view, LAST)).toContain(capital(LAST.result ?? ''));
  });

  it('name how every batter was out, and what every bowler did', () => {
    const card = board.panels.find(({ id }) => id === 'scorecard');
    const body = card ? shown(card.component, LAST) : '';
    for (const { name } of LAST.innings.at(-1)?.bowlers ?? []) expect(body).toContain(`title="${name}"`);
  });

  it('mark the impact player and whom he replaced', () => {
    const [first, second] = LAST.innings.at(-1)?.batters ?? [];
    const [player, replaces] = [first?.name ?? '', second?.name ?? ''];
    const card = board.panels.find(({ id }) => id === 'scorecard');
    const marked = { ...LAST, replaced: { home: { innings: 1, player, replaces } } };
    const body = card ? shown(card.component, marked) : '';
    expect(body).toMatch(new RegExp(`title="${player}"[^>]*>[^<]* ↑`));
    expect(body).toMatch(new RegExp(`title="${replaces}"[^>]*>[^<]* ↓`));
    expect(card ? shown(card.component, LAST) : '').not.toMatch(/[↑↓]/);
  });

  it('add up the extras of every kind', () => {
    const innings = LAST.innings.map((each) => ({ ...each, extras: { b: 1, lb: 2, w: 4, nb: 8, p: 16 } }));
    const card = board.panels.find(({ id }) => id === 'scorecard');
    const body = card ? shown(card.component, { ...LAST, innings }) : '';
    expect(body).toContain('b 1, lb 2, w 4, nb 8, p 16');
    expect(body).toMatch(/<td[^>]*>31<\/td>/);
  });
});
