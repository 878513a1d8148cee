import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import { Moments } from '../../episode/record/moments';
import { EMPTY, reduce } from '../../episode/record/store';
import { event, summary } from '../../testing/episode';
import type { Event } from '../../types.gen';
import { GRID, TABLE } from '../picture/testing/pictures';
import { board } from '.';
import type { GenericState } from './state';

const face = { ...TABLE.things[8], id: 'b0', kind: 'card', at: 'bob', label: 'Q♥' };
const seen = (seq: number, things: unknown[]): Event =>
  event(seq, 'PictureSeen', { seat: 'bob', places: [], things, figures: [], describe: 'Bob holds Q♥.' });
const RECORD = [
  event(0, 'EpisodeCreated', { title: 'A test' }),
  event(1, 'PictureShown', { state: TABLE }),
  seen(2, [face]),
  event(3, 'MoveMade', { seat: 'first', move: 'bet', chips: 2, cards: ['x'], note: null, state: { pot: 3 } }),
  event(4, 'PictureShown', { state: TABLE }),
  event(5, 'MoveMade', { seat: 'second', move: 'fold' }),
];
const store = reduce(EMPTY, { do: 'frames', frames: RECORD.map((each) => ({ frame: 'event', event: each })) });
const moments = new Moments(board, summary);
moments.foldAll(store);
const at = (seq: number): GenericState => {
  const state = moments.at(store, seq)?.board;
  if (!state) throw new Error(`event ${seq} is missing`);
  return state;
};
const label = ({ picture }: GenericState): string | undefined => picture?.things.find(({ id }) => id === 'b0')?.label;

describe('a game without a board of its own', () => {
  it('shows its picture, with what a seat sees until the next one', () => {
    expect([1, 2, 3, 4].map((seq) => label(at(seq)))).toEqual(['', 'Q♥', 'Q♥', '']);
    expect(board.begin(summary, GRID).picture).toEqual(GRID);
    expect(board.step(board.begin(summary, null), seen(1, [face])).picture).toBeNull();
  });

  it('words an event by its type and its words and numbers; pictures are no steps', () => {
    expect([1, 2, 3, 5].map((seq) => moments.at(store, seq)?.text)).toEqual([
      '',
      '',
      'Move made: first, bet, 2',
      'Move made: second, fold',
    ]);
    expect(moments.landmarks.steps).toEqual([0, 3, 5]);
  });

  it('names seats and turns like names', () => {
    const names = board.names(board.begin(summary, null));
    expect([names.seat('player_1').name, names.turn('move 1').title]).toEqual(['Player 1', 'Move 1']);
  });

  it('takes time for a change of the picture, and for nothing else', () => {
    expect(board.unfold?.(at(0), at(1)).picture).toBeGreaterThan(0);
    expect(board.unfold?.(at(2), at(3)).picture).toBe(0);
  });

  it('is drawn with its picture, and without one as a tree', () => {
    const shown = (component: typeof board.view, state: GenericState): string =>
      render(component, { props: { episode: summary, state, previous: null, animate: false } }).body;
    expect(shown(board.view, at(2))).toContain('Bob holds Q♥.');
    const told = board.step(board.begin(summary, { pot: 3 }), event(1, 'MoveMade', { move: 'bet' }));
    expect(shown(board.view, told)).toMatch(/Move made[\s\S]*pot/);
  });

  it('does not fail on what only has the name of a picture', () => {
    const odd = board.step(board.begin(summary, null), event(1, 'PictureShown', { state: { places: 3 } }));
    expect(odd).toMatchObject({ picture: null, whole: { places: 3 } });
  });
});
