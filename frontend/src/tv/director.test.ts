import { describe, expect, it } from 'vitest';

import { summary } from '../testing/episode';
import type { EpisodeSummary, Highlight } from '../types.gen';
import { AFTER_MOMENT, direct, END, ended, HOLD, interest, LONGEST, OFF, type Channel, type Offer } from './director';

const match = (id: string, excitement: number, more: Partial<EpisodeSummary> = {}): EpisodeSummary => ({
  ...summary,
  episode_id: id,
  outlook: { chances: { north: 0.6, south: 0.4 }, excitement, headline: '', rests_on: [] },
  ...more,
});
const moment = (id: string, last: number, importance = 0.8): Highlight =>
  ({
    episode_id: id,
    game: 'sum',
    title: '',
    first: last - 3,
    last,
    at: 0,
    turn: '',
    kind: 'stab',
    text: '',
    importance,
    seats: [],
    reference: false,
  }) as Highlight;
const offer = (live: EpisodeSummary[], more: Partial<Offer> = {}): Offer => ({
  live,
  awaited: new Set(),
  moments: [],
  ...more,
});
const on = ({ programme }: Channel): string | null =>
  programme && (programme.range ? `${programme.id}/${programme.range[1]}` : programme.id);

describe('the programme', () => {
  it('is the match that is closest and swings most', () => {
    expect(on(direct(OFF, offer([match('a', 0.2), match('b', 0.4)]), 0))).toBe('b');
    const close = (first: number) => ({
      outlook: { chances: { north: first, south: 1 - first }, excitement: 0.2, headline: '', rests_on: [] },
    });
    expect(interest(match('a', 0, close(0.5)))).toBeGreaterThan(interest(match('b', 0, close(0.9))));
  });

  it('is no match that stands still, waits for a person or cannot be followed', () => {
    const still = [match('a', 0.9, { paused: true }), match('b', 0.9), match('c', 0.9, { origin: 'trainer' })];
    expect(on(direct(OFF, offer([...still, match('d', 0.1)], { awaited: new Set(['b']) }), 0))).toBe('d');
  });

  it('stays for a while, and gives way only to what is clearly better', () => {
    const first = direct(OFF, offer([match('a', 0.3)]), 0);
    const better = offer([match('a', 0.3), match('b', 0.6)]);
    expect(direct(first, better, HOLD - 1)).toBe(first);
    expect(on(direct(first, better, HOLD))).toBe('b');
    expect(direct(first, offer([match('a', 0.3), match('b', 0.4)]), HOLD)).toBe(first);
    expect(on(direct(first, offer([match('a', 0.9, { paused: true }), match('b', 0.1)]), HOLD))).toBe('b');
  });

  it('is a match of another game after the end of one, unless that was on and the same is far better', () => {
    const live = (excitement: number): Offer =>
      offer([match('again', excitement, { game: 'sum' }), match('other', 0.3, { game: 'cricket' })]);
    const over = ended(direct(OFF, offer([match('a', 0.9, { game: 'sum' })]), 0), 100);
    expect(on(direct(over, live(0.95), 100 + END))).toBe('other');
    expect(on(direct({ ...over, left: { cricket: 90 } }, live(0.95), 100 + END))).toBe('again');
    expect(on(direct(OFF, live(0.5), 0))).toBe('again');
  });

  it('gives every game its turn', () => {
    const games = ['sum', 'cricket', 'werewolf'];
    const live = offer(games.map((game, n) => match(game, 0.2 + 0.2 * n, { game })));
    const began = 1_000_000;
    const seen: (string | null)[] = [];
    let channel = OFF;
    for (let now = began; now < began + 1200; now += 5) {
      channel = direct(channel, live, now);
      if (seen.at(-1) !== on(channel)) seen.push(on(channel));
    }
    expect(new Set(seen.slice(0, 3))).toEqual(new Set(games));
    for (const game of games) expect(seen.filter((other) => other === game).length).toBeGreaterThan(1);
    expect(seen.length).toBeLessThan(1200 / HOLD + 1);
  });

  it('is told to its end, though the server has ended it', () => {
    const first = direct(OFF, offer([match('a', 0.3)]), 0);
    const next = offer([match('b', 0.9)]);
    expect(direct(first, next, 500)).toBe(first);
    const told = ended(first, 500);
    expect(direct(told, next, 500 + END - 1)).toBe(told);
    expect(on(direct(told, next, 500 + END))).toBe('b');
  });

  it('shows a moment between two matches, and goes on with the next match', () => {
    const over = ended(direct(OFF, offer([match('a', 0.3)]), 0), 100);
    const next = offer([match('b', 0.9)], { moments: [moment('b', 7), moment('x', 9), moment('y', 9)] });
    const between = direct(over, next, 100 + END);
    expect(on(between)).toBe('x/9');
    expect(direct(between, next, 140)).toBe(between);
    expect(on(direct(ended(between, 150), next, 150 + AFTER_MOMENT))).toBe('b');
  });

  it('ends a moment that its player does not end', () => {
    const alone = offer([], { moments: [moment('x', 9), moment('y', 9)] });
    const first = direct(OFF, alone, 0);
    expect(direct(first, alone, LONGEST)).toBe(first);
    expect(on(direct(first, alone, LONGEST + 1))).toBe('y/9');
  });

  it('shows the best moments one after another while nothing is live, and begins again', () => {
    const alone = offer([], { moments: [moment('x', 9), moment('y', 9), moment('z', 9, 0.3)] });
    let channel = OFF;
    const seen: (string | null)[] = [];
    for (let n = 0, now = 0; n < 5; n++, now += 10) {
      channel = direct(channel, alone, now);
      seen.push(on(channel));
      channel = ended(channel, now);
    }
    expect(seen).toEqual(['x/9', 'y/9', 'x/9', 'y/9', 'x/9']);
    expect(on(direct(channel, offer([match('a', 0.1)], { moments: alone.moments }), 60))).toBe('a');
  });

  it('keeps the last end in sight until there is something else, and then is empty', () => {
    const over = ended(direct(OFF, offer([match('a', 0.3)]), 0), 100);
    expect(direct(over, offer([]), 100 + END)).toBe(over);
    expect(on(direct(over, offer([]), 101 + LONGEST))).toBeNull();
    expect(direct(OFF, offer([]), 0)).toBe(OFF);
  });
});
