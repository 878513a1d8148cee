import { describe, expect, it } from 'vitest';

import {
  back,
  drag,
  EMPTY_HAND,
  meaningsOf,
  ofKind,
  placesOf,
  possible,
  press,
  slipsOf,
  take,
  type Plan,
} from '../../../seat/places';
import type { Slot } from '../../../seat/slots';
import { ordersOf, slotsOf, VIEW_NAMES, type ViewName } from '../testing/views';
import { meaningWords, prompt } from './prompts';

type Slots = readonly Slot[];

/** The plan in which nothing but the defaults is chosen. */
const nothing = (slots: Slots): Plan => ({
  hand: EMPTY_HAND,
  chosen: Object.fromEntries(slots.flatMap((slot) => (slot.kind === 'pick' ? [[slot.name, slot.default ?? '']] : []))),
});
/** The orders that are not the defaults. */
const texts = (slots: Slots, plan: Plan): string[] =>
  slipsOf(slots, plan.chosen).flatMap(({ text, open }) => (open ? [] : [text]));

/** Clicks on provinces, and on the words of an option where it is asked which. */
function play(slots: Slots, ...clicks: string[]): Plan {
  return clicks.reduce((plan: Plan, click) => {
    const { open } = plan.hand;
    const meant = open?.meanings.find((meaning) => meaningWords(slots, meaning, open.at) === click);
    return open && meant ? take(slots, plan, meant, open.at) : press(slots, plan, click);
  }, nothing(slots));
}

const asked = (slots: Slots, { hand: { open } }: Plan): string[] =>
  open?.meanings.map((meaning) => meaningWords(slots, meaning, open.at)) ?? [];

/** Every order that any run of clicks on lit provinces and options comes to. */
function reached(slots: Slots): Set<string> {
  const orders = new Set<string>();
  const visited = new Set<string>();
  const walk = (plan: Plan): void => {
    slipsOf(slots, plan.chosen).forEach(({ text, open }) => open || orders.add(text));
    const key = JSON.stringify(plan.hand);
    if (visited.has(key) || texts(slots, plan).length > 1) return;
    visited.add(key);
    for (const place of placesOf(slots, plan)) {
      for (const meaning of meaningsOf(slots, plan, place)) walk(take(slots, plan, meaning, place));
      if (!plan.hand.slot) walk(press(slots, plan, place));
    }
    for (const kind of possible(slots, plan.hand)) walk(ofKind(slots, plan, kind));
  };
  walk(nothing(slots));
  return orders;
}

describe.each(VIEW_NAMES)('on the map: %s', (name: ViewName) => {
  const book = slotsOf(name);

  it('every legal order can be given, and no other', () => {
    const usual = Object.values(nothing(book).chosen).map(String);
    expect([...new Set([...reached(book), ...usual])].sort()).toEqual(ordersOf(name).sort());
  });

  it('a click where nothing is lit changes no order', () => {
    for (const unit of placesOf(book, nothing(book))) {
      const held = press(book, nothing(book), unit);
      if (!held.hand.slot) continue;
      const lit = new Set(placesOf(book, held));
      for (const province of ['MOS', 'NAO', 'TUN', 'ANK']) {
        if (!lit.has(province)) expect(texts(book, press(book, held, province))).toEqual([]);
      }
    }
  });

  it('says at each step what comes next', () => {
    expect(prompt(book, nothing(book))).not.toBe('');
    for (const unit of placesOf(book, nothing(book)))
      expect(prompt(book, press(book, nothing(book), unit))).not.toMatch(/undefined|null/);
  });
});

describe('moves', () => {
  const book = slotsOf('opening');
  const sea = slotsOf('sea');

  it('are a click on the unit and one on where it goes', () => {
    expect(texts(book, play(book, 'MAR', 'SPA'))).toEqual(['A MAR - SPA']);
  });

  it('leave the last word: a second order of a unit takes the place of the first', () => {
    expect(texts(book, play(book, 'MAR', 'SPA', 'MAR', 'PIE'))).toEqual(['A MAR - PIE']);
  });

  it('to a province with a unit ask whether to move there or to help it', () => {
    const plan = play(book, 'PAR', 'BRE');
    expect(asked(book, plan)).toEqual(['Move to Brest', 'Support the fleet in Brest']);
    expect(texts(book, plan)).toEqual([]);
  });

  it('support a unit where it stands until they are told where to', () => {
    const held = play(book, 'PAR', 'BRE', 'Support the fleet in Brest');
    expect(texts(book, held)).toEqual(['A PAR S F BRE']);
    expect(placesOf(book, held).sort()).toEqual(['BRE', 'GAS', 'PIC']);
    expect(texts(book, press(book, held, 'PIC'))).toEqual(['A PAR S F BRE - PIC']);
    expect(texts(book, press(book, held, 'BRE'))).toEqual(['A PAR S F BRE']);
  });

  it('support a move into where the unit itself could not be supported', () => {
    const held = play(book, 'MAR', 'PAR');
    expect(texts(book, held)).toEqual([]);
    expect(prompt(book, held)).toBe('Army in Marseilles supports the army in Paris: pick where to.');
    expect(texts(book, press(book, held, 'BUR'))).toEqual(['A MAR S A PAR - BUR']);
  });

  it('take up another unit where the one in hand has nothing to do with it', () => {
    expect(play(book, 'BRE', 'MAR').hand).toMatchObject({ kind: 'support', first: 'MAR' });
    expect(play(sea, 'LON', 'YOR', 'Support the army in Yorkshire').hand.slot).toBe('F LON');
    expect(press(sea, ofKind(sea, play(sea, 'YOR'), 'move'), 'NTH').hand.slot).toBe('F NTH');
  });

  it('convoy an army of anybody to where the fleets lead', () => {
    const held = play(sea, 'NTH', 'DEN', 'Convoy the army in Denmark');
    expect(placesOf(sea, held)).toContain('YOR');
    expect(placesOf(sea, held)).not.toContain('HEL');
    expect(texts(sea, press(sea, held, 'YOR'))).toEqual(['F NTH C A DEN - YOR']);
  });

  it('go by sea where they can only so, and ask where they can both ways', () => {
    expect(texts(sea, play(sea, 'YOR', 'BEL'))).toEqual(['A YOR - BEL VIA']);
    expect(asked(sea, play(sea, 'YOR', 'WAL'))).toEqual(['Move to Wales', 'Move to Wales by convoy']);
  });

  it('of fleets to two coasts ask which', () => {
    const book = slotsOf('coasts');
    expect(asked(book, play(book, 'MAO', 'SPA'))).toEqual([
      'Move to Spain (north coast)',
      'Move to Spain (south coast)',
    ]);
    expect(texts(book, play(book, 'MAO', 'SPA', 'Move to Spain (south coast)'))).toEqual(['F MAO - SPA/SC']);
  });

  it('taken for one verb ask less', () => {
    const support = ofKind(book, play(book, 'PAR'), 'support');
    expect(texts(book, press(book, support, 'BRE'))).toEqual(['A PAR S F BRE']);
    const move = ofKind(book, play(book, 'PAR'), 'move');
    expect(texts(book, press(book, move, 'BRE'))).toEqual(['A PAR - BRE']);
    expect(placesOf(book, move).sort()).toEqual(['BRE', 'BUR', 'GAS', 'PIC']);
    expect(ofKind(book, move, 'move').hand.kind).toBe('');
  });

  it('hold at a word', () => {
    const moved = play(book, 'PAR', 'BUR', 'PAR');
    expect(texts(book, moved)).toEqual(['A PAR - BUR']);
    const held = ofKind(book, moved, 'hold');
    expect([texts(book, held), held.chosen['A PAR'], held.hand]).toEqual([[], 'A PAR H', EMPTY_HAND]);
    expect(ofKind(book, nothing(book), 'hold')).toEqual(nothing(book));
  });

  it('are dragged: by land where they can be, a choice of coasts where there is one, help where they cannot', () => {
    expect(texts(book, drag(book, nothing(book), 'PAR', 'BRE'))).toEqual(['A PAR - BRE']);
    expect(texts(sea, drag(sea, nothing(sea), 'YOR', 'WAL'))).toEqual(['A YOR - WAL']);
    expect(texts(sea, drag(sea, nothing(sea), 'YOR', 'BEL'))).toEqual(['A YOR - BEL VIA']);
    const coasts = slotsOf('coasts');
    expect(drag(coasts, nothing(coasts), 'MAO', 'SPA').hand.open?.meanings).toHaveLength(2);
    expect(drag(book, nothing(book), 'MAR', 'PAR').hand).toMatchObject({ kind: 'support', first: 'PAR' });
  });

  it('dragged nowhere leave the unit in hand', () => {
    for (const province of ['PAR', 'MOS']) {
      const plan = drag(book, nothing(book), 'PAR', province);
      expect(plan.hand).toEqual({ ...EMPTY_HAND, slot: 'A PAR' });
      expect(texts(book, plan)).toEqual([]);
    }
  });

  it('go back one step at a time', () => {
    const open = play(book, 'PAR', 'BRE');
    expect(back(open).hand).toEqual({ ...EMPTY_HAND, slot: 'A PAR' });
    const help = play(book, 'MAR', 'PAR');
    expect(back(help).hand).toEqual({ ...EMPTY_HAND, slot: 'A MAR' });
    expect(back(back(help)).hand).toEqual(EMPTY_HAND);
    expect(press(book, help, null).hand).toEqual({ ...EMPTY_HAND, slot: 'A MAR' });
  });
});

describe('retreats', () => {
  const book = slotsOf('retreats');

  it('are a click on the beaten unit and one on where it goes', () => {
    expect(texts(book, play(book, 'BUR', 'PAR'))).toEqual(['A BUR R PAR']);
    expect(asked(book, play(book, 'MAO', 'SPA'))).toEqual([
      'Retreat to Spain (north coast)',
      'Retreat to Spain (south coast)',
    ]);
  });

  it('may be disbandings', () => {
    expect(possible(book, play(book, 'BUR').hand)).toEqual(['retreat', 'disband']);
    const back = ofKind(book, play(book, 'BUR', 'PAR', 'BUR'), 'disband');
    expect([texts(book, back), back.chosen['A BUR']]).toEqual([[], 'A BUR D']);
  });
});

describe('winter', () => {
  it('builds at a click where one thing can be built, and asks where several can', () => {
    const book = slotsOf('builds');
    expect(texts(book, play(book, 'WAR'))).toEqual(['A WAR B']);
    expect(asked(book, play(book, 'STP'))).toEqual([
      'Build an army',
      'Build a fleet (north coast)',
      'Build a fleet (south coast)',
    ]);
  });

  it('builds no more than may be built, and undoes at a second click', () => {
    const book = slotsOf('builds');
    const full = play(book, 'WAR', 'MOS');
    expect(placesOf(book, full).sort()).toEqual(['MOS', 'WAR']);
    expect(texts(book, press(book, full, 'STP'))).toEqual(['A MOS B', 'A WAR B']);
    expect(prompt(book, nothing(book))).toBe('2 units may be built: pick where.');
    expect(prompt(book, full)).toBe('Every build is used.');
    const undone = press(book, full, 'WAR');
    expect(texts(book, undone)).toEqual(['A MOS B']);
    expect(placesOf(book, undone)).toContain('STP');
  });

  it('removes as many units as must go', () => {
    const book = slotsOf('removals');
    const plan = play(book, 'TUS', 'ION');
    expect(plan.chosen['removals']).toEqual(['F ION D', 'A TUS D']);
    expect(prompt(book, play(book, 'TUS'))).toBe('1 unit must be removed: pick which.');
    expect(prompt(book, plan)).toBe('Enough units are removed.');
    expect(texts(book, press(book, plan, 'TYS')).sort()).toEqual(['A TUS D', 'F ION D']);
    expect(texts(book, press(book, plan, 'ION'))).toEqual(['A TUS D']);
  });
});
