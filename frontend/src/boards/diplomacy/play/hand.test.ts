import { describe, expect, it } from 'vitest';

import { bookOf, legalOf, VIEW_NAMES, type ViewName } from '../testing/views';
import { actionOf, left, type Book } from './book';
import { back, drop, EMPTY_HAND, options, pick, places, say, take, verbs, type Plan } from './hand';
import { optionWords, prompt } from './prompts';

const NOTHING: Plan = { hand: EMPTY_HAND, chosen: new Map() };
const texts = (plan: Plan): string[] => [...plan.chosen.values()].map(({ text }) => text);

/** Clicks on provinces, and on the words of an option where it is asked which. */
function play(book: Book, ...clicks: string[]): Plan {
  return clicks.reduce((plan: Plan, click) => {
    const option = plan.hand.open?.options.find((choice) => optionWords(book, choice) === click);
    return option ? take(book, { ...plan, hand: { ...plan.hand, open: null } }, option) : pick(book, plan, click);
  }, NOTHING);
}

const asked = (book: Book, plan: Plan): string[] =>
  plan.hand.open?.options.map((option) => optionWords(book, option)) ?? [];

/** Every order that any run of clicks on lit provinces and options comes to. */
function reached(book: Book): Set<string> {
  const orders = new Set<string>();
  const visited = new Set<string>();
  const walk = (plan: Plan): void => {
    texts(plan).forEach((text) => orders.add(text));
    const key = JSON.stringify(plan.hand);
    if (visited.has(key) || plan.chosen.size > 1) return;
    visited.add(key);
    for (const place of places(book, plan)) {
      for (const option of options(book, plan, place)) walk(take(book, plan, option));
      if (plan.hand.unit === null) walk(pick(book, plan, place));
    }
    for (const verb of verbs(book, plan.hand)) walk(say(book, { ...plan, hand: { ...plan.hand, help: null } }, verb));
  };
  walk(NOTHING);
  return orders;
}

describe.each(VIEW_NAMES)('on the map: %s', (name: ViewName) => {
  const book = bookOf(name);

  it('every legal order can be given, and no other', () => {
    expect([...reached(book)].sort()).toEqual(Object.values(legalOf(name).orders).flat().sort());
  });

  it('a click where nothing is lit changes no order', () => {
    for (const unit of book.orderable.keys()) {
      const held = pick(book, NOTHING, unit);
      if (held.hand.unit === null) continue;
      const lit = new Set(places(book, held));
      for (const province of ['MOS', 'NAO', 'TUN', 'ANK']) {
        if (!lit.has(province)) expect(texts(pick(book, held, province))).toEqual([]);
      }
    }
  });

  it('says at each step what comes next', () => {
    expect(prompt(book, NOTHING)).not.toBe('');
    for (const unit of book.orderable.keys())
      expect(prompt(book, pick(book, NOTHING, unit))).not.toMatch(/undefined|null/);
  });
});

describe('moves', () => {
  const book = bookOf('opening');
  const sea = bookOf('sea');

  it('are a click on the unit and one on where it goes', () => {
    expect(texts(play(book, 'MAR', 'SPA'))).toEqual(['A MAR - SPA']);
  });

  it('leave the last word: a second order of a unit takes the place of the first', () => {
    expect(texts(play(book, 'MAR', 'SPA', 'MAR', 'PIE'))).toEqual(['A MAR - PIE']);
  });

  it('to a province with a unit ask whether to move there or to help it', () => {
    const plan = play(book, 'PAR', 'BRE');
    expect(asked(book, plan)).toEqual(['Move to Brest', 'Support the fleet in Brest']);
    expect(texts(plan)).toEqual([]);
  });

  it('support a unit where it stands until they are told where to', () => {
    const held = play(book, 'PAR', 'BRE', 'Support the fleet in Brest');
    expect(texts(held)).toEqual(['A PAR S F BRE']);
    expect(places(book, held).sort()).toEqual(['BRE', 'GAS', 'PIC']);
    expect(texts(pick(book, held, 'PIC'))).toEqual(['A PAR S F BRE - PIC']);
    expect(texts(pick(book, held, 'BRE'))).toEqual(['A PAR S F BRE']);
  });

  it('support a move into where the unit itself could not be supported', () => {
    const held = play(book, 'MAR', 'PAR');
    expect(texts(held)).toEqual([]);
    expect(prompt(book, held)).toBe('Army in Marseilles supports the army in Paris: pick where to.');
    expect(texts(pick(book, held, 'BUR'))).toEqual(['A MAR S A PAR - BUR']);
  });

  it('take up another unit where the one in hand has nothing to do with it', () => {
    expect(play(book, 'BRE', 'MAR').hand.help).toEqual({ kind: 'support', at: 'MAR' });
    expect(play(sea, 'LON', 'YOR', 'Support the army in Yorkshire').hand).toMatchObject({ unit: 'LON' });
    expect(pick(sea, say(sea, play(sea, 'YOR'), 'move'), 'NTH').hand.unit).toBe('NTH');
  });

  it('convoy an army of anybody to where the fleets lead', () => {
    const held = play(sea, 'NTH', 'DEN', 'Convoy the army in Denmark');
    expect(places(sea, held)).toContain('YOR');
    expect(places(sea, held)).not.toContain('HEL');
    expect(texts(pick(sea, held, 'YOR'))).toEqual(['F NTH C A DEN - YOR']);
  });

  it('go by sea where they can only so, and ask where they can both ways', () => {
    expect(texts(play(sea, 'YOR', 'BEL'))).toEqual(['A YOR - BEL VIA']);
    expect(asked(sea, play(sea, 'YOR', 'WAL'))).toEqual(['Move to Wales', 'Move to Wales by convoy']);
  });

  it('of fleets to two coasts ask which', () => {
    const book = bookOf('coasts');
    expect(asked(book, play(book, 'MAO', 'SPA'))).toEqual([
      'Move to Spain (north coast)',
      'Move to Spain (south coast)',
    ]);
    expect(texts(play(book, 'MAO', 'SPA', 'Move to Spain (south coast)'))).toEqual(['F MAO - SPA/SC']);
  });

  it('taken for one verb ask less', () => {
    const support = say(book, play(book, 'PAR'), 'support');
    expect(texts(pick(book, support, 'BRE'))).toEqual(['A PAR S F BRE']);
    const move = say(book, play(book, 'PAR'), 'move');
    expect(texts(pick(book, move, 'BRE'))).toEqual(['A PAR - BRE']);
    expect(places(book, move).sort()).toEqual(['BRE', 'BUR', 'GAS', 'PIC']);
    expect(say(book, move, 'move').hand.verb).toBeNull();
  });

  it('hold at a word', () => {
    expect(texts(say(book, play(book, 'PAR'), 'hold'))).toEqual(['A PAR H']);
    expect(say(book, NOTHING, 'hold')).toEqual(NOTHING);
  });

  it('are dragged: by land where they can be, a choice of coasts where there is one, help where they cannot', () => {
    expect(texts(drop(book, NOTHING, 'PAR', 'BRE'))).toEqual(['A PAR - BRE']);
    expect(texts(drop(sea, NOTHING, 'YOR', 'WAL'))).toEqual(['A YOR - WAL']);
    expect(texts(drop(sea, NOTHING, 'YOR', 'BEL'))).toEqual(['A YOR - BEL VIA']);
    const coasts = bookOf('coasts');
    expect(drop(coasts, NOTHING, 'MAO', 'SPA').hand.open?.options).toHaveLength(2);
    expect(drop(book, NOTHING, 'MAR', 'PAR').hand.help).toEqual({ kind: 'support', at: 'PAR' });
  });

  it('dragged nowhere leave the unit in hand', () => {
    for (const province of ['PAR', 'MOS']) {
      const plan = drop(book, NOTHING, 'PAR', province);
      expect(plan.hand).toEqual({ ...EMPTY_HAND, unit: 'PAR' });
      expect(texts(plan)).toEqual([]);
    }
  });

  it('go back one step at a time', () => {
    const open = play(book, 'PAR', 'BRE');
    expect(back(open).hand).toEqual({ ...EMPTY_HAND, unit: 'PAR' });
    const help = play(book, 'MAR', 'PAR');
    expect(back(help).hand).toEqual({ ...EMPTY_HAND, unit: 'MAR' });
    expect(back(back(help)).hand).toEqual(EMPTY_HAND);
    expect(pick(book, help, null).hand).toEqual({ ...EMPTY_HAND, unit: 'MAR' });
  });
});

describe('retreats', () => {
  const book = bookOf('retreats');

  it('are a click on the beaten unit and one on where it goes', () => {
    expect(texts(play(book, 'BUR', 'PAR'))).toEqual(['A BUR R PAR']);
    expect(asked(book, play(book, 'MAO', 'SPA'))).toEqual([
      'Retreat to Spain (north coast)',
      'Retreat to Spain (south coast)',
    ]);
  });

  it('may be disbandings', () => {
    expect(verbs(book, play(book, 'BUR').hand)).toEqual(['disband']);
    expect(texts(say(book, play(book, 'BUR'), 'disband'))).toEqual(['A BUR D']);
  });
});

describe('winter', () => {
  it('builds at a click where one thing can be built, and asks where several can', () => {
    const book = bookOf('builds');
    expect(texts(play(book, 'WAR'))).toEqual(['A WAR B']);
    expect(asked(book, play(book, 'STP'))).toEqual([
      'Build an army',
      'Build a fleet (north coast)',
      'Build a fleet (south coast)',
    ]);
  });

  it('builds no more than may be built, and undoes at a second click', () => {
    const book = bookOf('builds');
    const full = play(book, 'WAR', 'MOS');
    expect(places(book, full).sort()).toEqual(['MOS', 'WAR']);
    expect(texts(pick(book, full, 'STP'))).toEqual(['A WAR B', 'A MOS B']);
    const undone = pick(book, full, 'WAR');
    expect(texts(undone)).toEqual(['A MOS B']);
    expect(places(book, undone)).toContain('STP');
  });

  it('removes as many units as must go', () => {
    const book = bookOf('removals');
    const plan = play(book, 'TUS', 'ION');
    expect(actionOf(book, plan.chosen)).toEqual({ orders: ['F ION D', 'A TUS D'] });
    expect(left(book, plan.chosen)).toBe(0);
    expect(texts(pick(book, plan, 'TYS')).sort()).toEqual(['A TUS D', 'F ION D']);
    expect(texts(pick(book, plan, 'ION'))).toEqual(['A TUS D']);
  });
});
