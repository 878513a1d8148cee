import { describe as group, expect, it } from 'vitest';

import { describe, markers } from './markers';
import { EVENTS } from './testing/match';

group('a recorded match in words', () => {
  it('reads as it was read before', async () => {
    const lines = EVENTS.flatMap((event) => {
      const told = describe(event);
      const marks = markers(event).map(
        ({ kind, label, seat, weight }) => `  [${kind} ${weight}] ${label} (${seat ?? 'all'})`,
      );
      return told && event.type !== 'OrdersSubmitted' ? [told, ...marks] : marks;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('fixtures/match.txt');
  });

  it('has a mark for every dislodgement, capture, elimination and the end', () => {
    const count = (kind: string): number =>
      EVENTS.flatMap((event) => markers(event)).filter((mark) => mark.kind === kind).length;
    const text = EVENTS.map((event) => JSON.stringify(event)).join('\n');
    const found = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    expect(count('dislodgement')).toBe(found(/"dislodged"/g));
    expect(count('capture')).toBe(found(/"center":/g));
    expect(count('elimination')).toBe(found(/"type":"PowerEliminated"/g));
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
