import { describe, expect, it } from 'vitest';

import type { PromiseOutcome, Told } from '../boards/game';
import { extremes, winningMoments, worstLiar, lastWords } from './ending';

const at = (about: number, north: number, east = 0) => ({ about, chances: { north, east, south: 1 - north - east } });
const line = (about: number, importance: number, seats: string[], kind: string | null = null) => ({
  about,
  importance,
  seats,
  kind,
});

describe('how a match was won', () => {
  it('is told in the changes of the winner’s chance, up and down', () => {
    const curve = [at(0, 0.3), at(10, 0.6), at(20, 0.4), at(30, 0.41), at(40, 1)];
    expect(winningMoments(curve, [], ['north'], 5).map(({ about, seat }) => [about, seat])).toEqual([
      [10, 'north'],
      [20, 'north'],
      [40, 'north'],
    ]);
  });

  it('leaves out what others gained from each other', () => {
    const curve = [at(0, 0.4, 0.1), at(10, 0.4, 0.5), at(20, 0.6, 0.3)];
    expect(winningMoments(curve, [], ['north'], 5).map(({ about }) => about)).toEqual([20]);
    expect(winningMoments(curve, [], [], 5).map(({ about }) => about)).toEqual([10, 20]);
  });

  it('prefers the moment with the higher stakes among equal changes', () => {
    const curve = [at(0, 0.3), at(10, 0.4), at(20, 0.5)];
    expect(winningMoments(curve, [line(20, 0.9, ['east', 'north'])], ['north'], 1)[0]?.about).toBe(20);
    expect(winningMoments(curve, [line(10, 0.9, ['north'])], ['north'], 1)[0]?.about).toBe(10);
  });

  it('is told of all who win together', () => {
    const curve = [at(0, 0.3, 0.3), at(10, 0.6, 0.2), at(20, 0.1, 0.1), at(30, 0.5, 0.5)];
    expect(winningMoments(curve, [], ['north', 'east'], 5).map(({ about, seat }) => [about, seat])).toEqual([
      [10, 'north'],
      [20, 'north'],
      [30, 'north'],
    ]);
  });

  it('has moments that lie apart', () => {
    const curve = [at(0, 0.2), at(50, 0.4), at(51, 0.6), at(100, 0.9)];
    expect(winningMoments(curve, [], ['north'], 5).map(({ about }) => about)).toEqual([50, 100]);
  });
});

it('names the greatest rise and the greatest fall', () => {
  const found = extremes([at(0, 0.3), at(10, 0.8), at(20, 0.75)]);
  expect([found?.gain.seat, found?.gain.about, found?.loss.seat, found?.loss.about]).toEqual([
    'north',
    10,
    'south',
    10,
  ]);
  expect(extremes([at(0, 0.3), at(10, 0.3)])).toBeNull();
});

describe('the worst liar', () => {
  const promise = (seat: string, outcome: PromiseOutcome['outcome'], recipients: string[]): Told => ({
    text: '',
    step: false,
    marks: [],
    promise: { seat, turn: 't', promise: 'p', recipients, public: false, outcome },
  });

  it('lied most, and most of all to one', () => {
    const all = [
      promise('north', 'lie', ['south']),
      promise('north', 'lie', ['south']),
      promise('north', 'lie', ['east']),
      promise('east', 'lie', ['south']),
      promise('east', 'broken', ['south']),
    ];
    const told = (seq: number): readonly Told[] => all.slice(seq, seq + 1);
    expect(worstLiar(told, [], 9)).toEqual({
      seat: 'north',
      what: 'lied',
      times: 3,
      victim: { seat: 'south', times: 2 },
      last: 2,
    });
  });

  it('broke its word most where lies are secret', () => {
    const told = (seq: number): readonly Told[] => (seq === 4 ? [promise('east', 'broken', ['south', 'north'])] : []);
    expect(worstLiar(told, [], 9)).toEqual({ seat: 'east', what: 'broke', times: 1, victim: null, last: 4 });
    expect(worstLiar(told, [], 3)).toBeNull();
  });

  it('is read from the facts of a game without promises', () => {
    const lies = [line(3, 0.6, ['Ada'], 'lie'), line(5, 0.6, ['Ada'], 'lie'), line(6, 0.6, ['Ben'], 'lie')];
    expect(worstLiar(() => [], lies, 9)?.times).toBe(2);
  });
});

describe('the last words', () => {
  const letter = (sender: string, text: string): { sender: string; text: string } => ({ sender, text });
  const letters = [
    letter('a', 'a last'),
    letter('b', 'b last'),
    letter('a', 'a first'),
    letter('c', 'c'),
    letter('w', 'w'),
  ];

  it('are the last letters of the losers, the highest scores first', () => {
    const texts = lastWords(letters, ['w'], { a: 2, b: 5, c: 1, w: 18 }, 2).map(({ text }) => text);
    expect(texts).toEqual(['b last', 'a last']);
  });

  it('are none where nobody wrote', () => {
    expect(lastWords([], ['w'], { a: 2 }, 3)).toEqual([]);
  });
});
