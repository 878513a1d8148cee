import { render } from 'svelte/server';
import { expect, it } from 'vitest';

import type { Game } from '../boards/game';
import { board } from '../boards/diplomacy';
import { before } from '../episode/record/matchInfo';
import { summary } from '../testing/episode';
import type { QueuePlace } from '../types.gen';
import Caption from './Caption.svelte';

it('says of a match that waits in the queue its place and when it begins, if that is known', () => {
  const shell = before(summary);
  const second = { place: 2, seconds: 240 };
  const text = (turn: string, queue: QueuePlace | null): string => {
    const [game, names] = [board as unknown as Game, board.names()];
    const props = { shell: { ...shell, turn }, game, names, state: null, waiting: [], queue };
    return render(Caption, { props })
      .body.replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
  };
  expect(text('', second)).toContain('2nd in the queue Begins in about 4 min');
  expect(text('S1901M', second)).toContain('2nd in the queue, begins in about 4 min');
  expect(text('S1901M', null)).toContain('Queued: it continues when a slot is free');
});
