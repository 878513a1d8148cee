import { describe as group, expect, it } from 'vitest';

import { describe, markers } from './markers';
import { reduce } from '../reduce';
import { EMPTY } from '../state';
import { EVENTS, EVENTS_WITH_PRESS } from '../testing/match';

group('a recorded match in words', () => {
  it('reads as it was read before', async () => {
    const lines = EVENTS.flatMap((event) => {
      const sentence = describe(event);
      const marks = markers(event).map(
        ({ kind, label, seat, weight }) => `  [${kind} ${weight}] ${label} (${seat ?? 'all'})`,
      );
      return sentence && event.type !== 'OrdersSubmitted' ? [sentence, ...marks] : marks;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../fixtures/match.txt');
  });

  it('has a mark for every dislodgement, capture, elimination and the end', () => {
    const count = (kind: string): number =>
      EVENTS.flatMap((event) => markers(event)).filter((mark) => mark.kind === kind).length;
    const text = EVENTS.map((event) => JSON.stringify(event)).join('\n');
    const matches = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    expect(count('dislodgement')).toBe(matches(/"dislodged"/g));
    expect(count('capture')).toBe(matches(/"center":/g));
    expect(count('elimination')).toBe(matches(/"type":"PowerEliminated"/g));
    expect(count('win')).toBe(1);
  });
});

group('the end', () => {
  const ended = (outcome: unknown): Parameters<typeof markers>[0] =>
    ({ type: 'EpisodeEnded', data: { status: 'finished', outcome, message: '' } }) as never;

  it('is told in the words of the game, and belongs to a lone winner', () => {
    const solo = {
      reason: 'solo',
      winners: ['FRANCE'],
      scores: {},
      text: 'France owns 18 supply centres and wins alone.',
    };
    expect(markers(ended(solo))).toEqual([{ kind: 'win', label: solo.text, seat: 'FRANCE', weight: 3 }]);
    const draw = {
      reason: 'draw',
      winners: ['FRANCE', 'ITALY'],
      scores: {},
      text: 'The powers still in the game agreed on a draw.',
    };
    expect(markers(ended(draw))).toEqual([{ kind: 'win', label: draw.text, weight: 3 }]);
  });

  it('has no mark where the match broke off', () => {
    expect(markers(ended(null))).toEqual([]);
  });
});

group('promises', () => {
  const broken = EVENTS_WITH_PRESS.flatMap((event) => (event.type === 'PromiseBroken' ? [event] : []));

  it('has a mark for every broken promise, of whoever broke it', () => {
    const marks = EVENTS_WITH_PRESS.flatMap((event) => markers(event)).filter(({ kind }) => kind === 'betrayal');
    expect(marks.length).toBe(broken.length);
    expect(marks.map(({ seat }) => seat)).toEqual(broken.map(({ data }) => data.power));
  });

  const describePromise = (data: Record<string, unknown>, type = 'PromiseBroken'): string =>
    describe({ type, data: { power: 'ITALY', phase: 'S1904M', public: false, ...data } } as never);

  it('is told in plain words', () => {
    const promise = { promise: 'venice holds', meant: 'A VEN H', recipients: ['AUSTRIA'] };
    expect(describePromise({ ...promise, order: 'A VEN S A TYR - TRI' })).toBe(
      'Italy broke its promise to Austria that the army in Venice holds: it supports the army in Tyrolia to Trieste',
    );
    expect(describePromise({ ...promise, order: 'A VEN H' }, 'PromiseKept')).toBe(
      'Italy kept its promise to Austria that the army in Venice holds',
    );
    const all = ['AUSTRIA', 'ENGLAND', 'FRANCE', 'GERMANY', 'RUSSIA', 'TURKEY'];
    expect(describePromise({ promise: 'TYR S MUN - BOH', recipients: all, public: true, order: 'A TYR - VIE' })).toBe(
      'Italy broke its promise to all that the unit in Tyrolia supports Munich to Bohemia: it moves to Vienna',
    );
  });
});

group('a unit with nowhere to go', () => {
  it('is told of and marked', () => {
    const lost = EVENTS_WITH_PRESS.flatMap((event) => markers(event)).filter(({ label }) =>
      label.includes('destroyed'),
    );
    expect(lost.map(({ label, weight }) => `${weight} ${label}`)).toMatchInlineSnapshot(`
      [
        "2 England's fleet in Belgium is dislodged by the army from Burgundy and destroyed, with nowhere to retreat",
      ]
    `);
    const event = EVENTS_WITH_PRESS.find(({ data }) => JSON.stringify(data).includes('"dislodged","disband"'));
    expect(event && describe(event)).toContain('and destroyed, with nowhere to retreat');
  });

  it('leaves the board at once', () => {
    const at = EVENTS_WITH_PRESS.findIndex(({ data }) => JSON.stringify(data).includes('"dislodged","disband"'));
    const board = EVENTS_WITH_PRESS.slice(0, at + 1).reduce(reduce, EMPTY);
    expect(board.lost.length).toBe(1);
    expect(Object.keys(board.dislodged)).toEqual([]);
  });
});
