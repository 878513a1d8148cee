import fc from 'fast-check';
import { expect, it } from 'vitest';

import { merged, pictureOf } from './merge';
import type { Picture, Thing } from './picture.gen';

const card = (id: string, label = ''): Thing => ({ id, kind: 'card', at: 'hand', label });
const things = fc.uniqueArray(fc.record({ id: fc.string(), label: fc.string() }), { selector: ({ id }) => id });
const picture = (cards: readonly { id: string; label: string }[]): Picture => ({
  places: [{ id: 'hand', x: 0, y: 0 }],
  things: cards.map(({ id, label }) => card(id, label)),
  describe: 'public',
});

it('draws what a seat sees in place of what everybody sees, and once', () => {
  fc.assert(
    fc.property(things, things, (old, more) => {
      const seen = { seat: 'north', places: [], things: picture(more).things, figures: [], describe: 'own' };
      const whole = merged(picture(old), seen);
      const ids = whole.things.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.slice(0, old.length)).toEqual(old.map(({ id }) => id));
      for (const thing of seen.things) expect(whole.things).toContain(thing);
      expect(merged(whole, seen).things).toEqual(whole.things);
      expect(whole.describe).toBe('own');
    }),
  );
});

it.each([null, 3, 'places', [], {}, { places: [] }, { places: {}, things: [] }])('takes %j for no picture', (value) => {
  expect(pictureOf(value)).toBeNull();
});

it('adds the figures of a seat to those of everybody', () => {
  const shown = { ...picture([]), figures: [{ label: 'Pot', value: '3' }] };
  const own = [{ label: 'Your cards', value: 'K♥' }];
  expect(merged(shown, { seat: 'north', places: [], things: [], figures: own, describe: '' }).figures).toEqual([
    { label: 'Pot', value: '3' },
    ...own,
  ]);
});

it('draws one of several things with the same id, the last', () => {
  expect(
    pictureOf(
      picture([
        { id: 'a', label: '1' },
        { id: 'a', label: '2' },
      ]),
    )?.things,
  ).toEqual([card('a', '2')]);
});
