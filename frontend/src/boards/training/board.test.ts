import { render } from 'svelte/server';
import { expect, test } from 'vitest';

import { Moments } from '../../episode/record/moments';
import { EMPTY, reduce } from '../../episode/record/store';
import type { EpisodeSummary } from '../../types.gen';
import { board } from '.';
import Card from './Card.svelte';
import { steps, type Run } from './state';
import { episode, event, running, stepped } from './testing/run';

const ordinary = { 'benchmark/reward_mean': 0.834, 'kl/max': 4.2 };
const won = { 'eval/vs_base/gain': 0.0464, 'eval/vs_base/mean': 0.19, 'eval/vs_base/ci95': 0.0207 };

test('a step is told in one sentence', () => {
  expect(board.tell(stepped(1, ordinary), running(0)).text).toBe('Step 1: reward 0.834, KL at most 4.2');
  expect(board.tell(stepped(1), running(0)).text).toBe('Step 1');
  expect(board.tell(stepped(1, { ...ordinary, ...won }), running(0)).text).toBe(
    'Step 1: reward 0.834, KL at most 4.2, +0.046 ± 0.021 over its base',
  );
  expect(board.tell(event(1, 'EpisodeStarted'), running(0)).text).toBe('');
});

test('trouble is told where it begins, and marked there', () => {
  const wild = { 'kl/max': 14 };
  const before = running(2, () => ordinary);
  expect(board.tell(stepped(3, wild), before).text).toBe(
    'Step 3: KL at most 14. The policy moves away from its reference: the largest KL of a token is 14',
  );
  expect(board.tell(stepped(3, wild), before).marks).toMatchObject([{ kind: 'note', weight: 3 }]);
  const after = board.step(before, stepped(3, wild));
  expect(board.tell(stepped(4, wild), after).marks).toEqual([]);
  expect(board.terms.line?.(after)).toContain('Raise kl.beta');
  expect(board.terms.line?.(before)).toBe('All is well, about 2 min left');
});

test('evaluations are marked', () => {
  expect(board.tell(stepped(1, won), running(0)).marks).toEqual([
    { kind: 'note', label: '+0.046 ± 0.021 over its base', seat: 'policy', weight: 2 },
  ]);
});

test('the strip counts steps until there is a gain to tell', () => {
  expect(board.strip(running(12), 'policy').count).toBe('12/30');
  expect(board.strip({ ...running(12), config: {} }, 'policy').count).toBe('12');
  expect(
    board.strip(
      running(12, (step) => (step === 10 ? won : {})),
      'policy',
    ).count,
  ).toBe('+0.046');
});

test('the strip leaves the gain to the board, which has its interval', () => {
  const run = running(10, (step) => (step === 10 ? won : {}));
  expect(board.strip(run, 'policy').shown).toBe('');
});

test('steps are the turns of the page, wherever one looks', () => {
  const summary = { ...episode, episode_id: 'training-1', status: 'live', turn: '', scores: {} } as EpisodeSummary;
  const frames = [event(0, 'EpisodeCreated'), event(1, 'EpisodeStarted'), stepped(1), stepped(2), stepped(3)];
  const store = reduce(EMPTY, { do: 'frames', frames: frames.map((event) => ({ frame: 'event', event })) });
  const moments = new Moments<Run>(board as never, summary);
  moments.foldAll(store);
  expect(moments.landmarks.ticks).toEqual([
    { seq: 2, turn: '1' },
    { seq: 3, turn: '2' },
    { seq: 4, turn: '3' },
  ]);
  expect(moments.landmarks.steps).toEqual([0, 1, 2, 3, 4]);
  const looked = moments.at(store, 3);
  expect(looked && steps(looked.board)).toHaveLength(2);
  expect(looked?.shell.turn).toBe('2');
  expect(board.names().turn('2').title).toBe('Step 2');
});

test('the lobby shows a single step as a point with its spread, and more as a line', () => {
  const rewarded = { 'benchmark/reward_mean': 0.5, 'benchmark/reward_std': 0.2 };
  const summary = { ...episode, episode_id: 'training-1' } as EpisodeSummary;
  const card = (count: number): string =>
    render(Card, {
      props: { episode: summary, state: running(count, () => rewarded), previous: null, animate: false },
    }).body;
  expect(card(0)).toContain('The first step is in progress');
  expect(card(1)).toMatch(/class="spread[^>]* d="M[^"]*L/);
  expect(card(1)).toMatch(/class="dot[^>]* d="M[^"]*h0"/);
  expect(card(1)).not.toContain('class="curve');
  expect(card(2)).toContain('class="curve');
  expect(card(2)).not.toContain('class="dot');
});
