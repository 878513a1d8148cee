import { render } from 'svelte/server';
import { expect, test } from 'vitest';

import { report, updated } from '../../report/testing/report';
import { event } from '../../testing/episode';
import type { EpisodeSummary } from '../../types.gen';
import { campaign } from '.';
import Card from './Card.svelte';
import type { Campaign } from './kinds';
import View from './View.svelte';

const board = campaign('tournament');
const told = (text: string, mark = false) => event(3, 'ReportUpdated', { ...updated(report.sections), text, mark });
const nothing = board.begin({} as EpisodeSummary, null);
const state = board.step(nothing, told(''));
const drawn = (component: typeof Card | typeof View, shown: Campaign): string =>
  render(component, { props: { episode: {} as EpisodeSummary, state: shown, previous: null, animate: false } }).body;

test('an event tells its sentence, and has a mark where the report asks for one', () => {
  expect(board.tell(told('Match 3: heron won'), nothing)).toEqual({
    text: 'Match 3: heron won',
    step: true,
    marks: [],
  });
  expect(board.tell(told(''), nothing).step).toBe(false);
  expect(board.tell(told('Step 5', true), nothing).marks).toEqual([{ kind: 'note', label: 'Step 5', weight: 2 }]);
  expect(board.tell(event(3, 'PairingPlayed', {}), nothing)).toEqual({ text: '', step: false, marks: [] });
  expect(board.tell(event(3, 'EpisodeEnded', {}), nothing).step).toBe(true);
});

test('each kind has its word and its turns, and only a tournament is steered', () => {
  const kinds = ['tournament', 'evaluation', 'series', 'training', 'experiment'].map(campaign);
  expect(kinds.map(({ terms }) => terms.noun)).toEqual([
    'tournament',
    'evaluation',
    'series',
    'training run',
    'experiment',
  ]);
  expect(kinds.map(({ terms }) => terms.steered)).toEqual([true, false, false, false, false]);
  expect(kinds.map((kind) => kind.names().turn('24').title)).toEqual([
    '24 played',
    '24 played',
    '24 played',
    'Step 24',
    '24 runs completed',
  ]);
  expect(board.names().turn('24 of 30').tick).toBe('24');
});

test('players have the colours of their places among the owners', () => {
  const names = board.names(state);
  expect(names.seat('kite').name).toBe('kite');
  expect(names.seat('kite').colour).not.toBe(names.seat('heron').colour);
});

test('the card has the result, the first figures and the progress', () => {
  const html = drawn(Card, state);
  for (const text of ['Undecided', '+0.076', 'of 30', '24 of 30 matches, 1 failed']) expect(html).toContain(text);
  expect(board.terms.line?.(state)).toBe('Undecided');
});

test('an episode that ended without a report was recorded by an older version', () => {
  expect(drawn(View, nothing)).toContain('it has just begun');
  const ended = board.step(nothing, event(9, 'EpisodeEnded', { status: 'finished' }));
  expect(drawn(View, ended)).toContain('recorded by an older version');
  expect(drawn(View, ended)).toContain('Its matches remain');
});
