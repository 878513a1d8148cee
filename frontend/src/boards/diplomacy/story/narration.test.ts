import { expect, it } from 'vitest';

import { narrate } from '../../../episode/story/narrate';
import type { Board } from '../../board';
import type { GameEvent } from '../events.gen';
import { board } from '../index';
import { reduce } from '../reduce';
import { EMPTY } from '../state';
import { EVENTS, EVENTS_WITH_PRESS, HUMAN_EVENTS } from '../testing/match';

const control = (command: string, value: unknown): GameEvent =>
  ({ type: 'ControlChanged', data: { command, value, by: 'operator' } }) as GameEvent;

const STEERED = [
  control('hand_back', 'AUSTRIA'),
  control('take_over', 'AUSTRIA'),
  control('to_front', null),
  control('approve', { message: '1', edited: true }),
  ...['rules', 'provider', 'timeout', 'player', 'budget', 'ours'].map(
    (boundary) => ({ type: 'PlayerFault', data: { seat: 'ITALY', boundary, message: 'it failed' } }) as GameEvent,
  ),
];

const NOTATION = /\b[AF] [A-Z]{3}\b/;
const WORDS_OF_PROGRAMS = /\w_\w|\b[A-Z]{4,}\b|\((?:rules|provider|timeout|player|budget|ours)\)|\[object/;

it.each([
  ['of bots', EVENTS],
  ['of human play', HUMAN_EVENTS],
  ['with press', EVENTS_WITH_PRESS],
  ['as it is steered', STEERED],
])('a match %s is told without notation or words of programs', (_, events) => {
  let state = EMPTY;
  let sentences = 0;
  for (const event of events) {
    const { text: sentence, marks } = narrate(board as unknown as Board, event, state);
    const texts = [sentence, ...marks.map(({ label }) => label)].filter(Boolean);
    sentences += texts.length;
    for (const text of texts) {
      expect(text).not.toMatch(NOTATION);
      expect(text).not.toMatch(WORDS_OF_PROGRAMS);
    }
    state = reduce(state, event);
  }
  expect(sentences).toBeGreaterThan(events.length / 3);
});

it('tells how a match is steered', () => {
  expect(narrate(board as unknown as Board, control('hand_back', 'AUSTRIA'), EMPTY).text).toBe(
    'An operator handed Austria back to its player',
  );
});

it('writes out the notation in what the rules say', () => {
  expect(board.names().words("orders[0]: 'A CON - LON': A CON cannot reach LON; F STP/SC belongs to RUSSIA")).toBe(
    "orders[0]: 'the army in Constantinople moves to London': the army in Constantinople cannot reach London; " +
      'the fleet in St Petersburg (south coast) belongs to Russia',
  );
});
