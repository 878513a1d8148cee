import { render } from 'svelte/server';
import { describe, expect, it } from 'vitest';

import { layout } from './layout';
import { seatLook } from './palette';
import type { Picture as Shown } from './picture.gen';
import Picture from './Picture.svelte';
import type { PictureProps } from './props';
import { nextTarget, targetsOf } from './targets';
import { GRID, MAP, TABLE } from './testing/pictures';
import { french } from './words';

const SEATS = ['north', 'south', 'east', 'ann', 'bob'];
const draw = (picture: Shown, more: Partial<PictureProps> = {}): string =>
  render(Picture, { props: { picture, look: (seat) => seatLook(seat, SEATS), ...more } }).body;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

describe('a picture', () => {
  it.each([
    ['a grid', GRID],
    ['a table', TABLE],
    ['a map', MAP],
  ])('of %s draws everything once, in numbers, and says what it shows', (_, picture) => {
    const body = draw(picture);
    expect(count(body, /data-thing=/g)).toBe(picture.things.length);
    expect(body).toContain(`role="img" aria-label="${picture.describe}"`);
    expect(body).not.toMatch(/NaN|undefined|\[object| id="/);
    for (const { label, value } of picture.figures ?? [])
      expect(body).toMatch(new RegExp(`${label}</dt> *<dd[^>]*>${value}`));
    expect(draw(picture, { bare: true })).not.toContain('<dl');
  });

  it('shows the faces of cards in their colours, and nothing of a hidden one', () => {
    expect(['K♥', 'T♦', '7♠', '10 ♣', 'KH', ''].map(french)).toEqual([
      { rank: 'K', suit: '♥', red: true },
      { rank: '10', suit: '♦', red: true },
      { rank: '7', suit: '♠', red: false },
      { rank: '10', suit: '♣', red: false },
      null,
      null,
    ]);
    const secret: Shown = {
      places: [{ id: 'p', x: 50, y: 50 }],
      things: [{ id: 'c', kind: 'card', at: 'p', label: 'Q♥', state: 'hidden' }],
      describe: '',
    };
    expect(draw(secret)).not.toContain('Q');
  });

  it('draws what a game leaves out as usual, and text of a game as text', () => {
    const least: Shown = { places: [{ id: 'a', x: 5, y: 5, label: '<b>\u202e' }], things: [], describe: '' };
    const body = draw(least);
    expect(body).toContain('&lt;b>‹202E›');
    expect(body).not.toContain('NaN');
  });

  it('draws what has gone until it has faded', () => {
    const fewer = { ...TABLE, things: TABLE.things.slice(1) };
    expect(count(draw(fewer, { before: TABLE }), /data-thing=/g)).toBe(TABLE.things.length);
    expect(count(draw(fewer), /data-thing=/g)).toBe(TABLE.things.length - 1);
  });
});

describe('the targets of a picture', () => {
  it('are buttons with a name, one of them in the tab order', () => {
    const targets = new Map([
      ['a4', ''],
      ['n1', 'move the king'],
      ['elsewhere', 'nowhere'],
    ]);
    const body = draw(GRID, { targets, picked: ['n1'], onpick: () => undefined });
    expect(count(body, /role="button"/g)).toBe(2);
    expect(body).toMatch(/role="button" tabindex="0" aria-label="a4"/);
    expect(body).toMatch(/role="button" tabindex="-1" aria-label="move the king" aria-pressed="true" data-target="n1"/);
    expect(body).toContain(`role="group" aria-label="${GRID.describe}"`);
  });

  it('are none where nobody chooses', () => {
    expect(draw(GRID, { targets: new Map([['a4', '']]) })).not.toContain('role="button"');
  });

  it('follow the arrow keys to the nearest one in that direction', () => {
    const words = new Map(GRID.places.map(({ id }) => [id, '']));
    const all = targetsOf(GRID, layout(GRID), words);
    const from = (id: string, key: string): string | undefined => {
      const start = all.find((target) => target.id === id);
      return start && nextTarget(all, start, key)?.id;
    };
    expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].map((key) => from('b2', key))).toEqual([
      'b3',
      'b1',
      'a2',
      'c2',
    ]);
    expect([from('a4', 'ArrowUp'), from('b2', 'Home'), from('b2', 'End'), from('b2', 'x')]).toEqual([
      undefined,
      'a4',
      'd1',
      undefined,
    ]);
  });
});

it('gives the seats of a match different colours in their order, and an unknown one always the same', () => {
  const colours = SEATS.map((seat) => seatLook(seat, SEATS).colour);
  expect(new Set(colours).size).toBe(SEATS.length);
  expect(seatLook('west', []).colour).toBe(seatLook('west', []).colour);
});

it('the short name of a seat with a number has the number', () => {
  expect(['player_0', 'player_1', 'north'].map((seat) => seatLook(seat, []).short)).toEqual(['P0', 'P1', 'NOR']);
});
