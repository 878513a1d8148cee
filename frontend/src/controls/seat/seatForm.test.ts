import { describe, expect, it, vi } from 'vitest';

import type { SeatChoices } from '../../types.gen';
import { SeatForm } from './seatForm.svelte';
import type { SeatPlay } from './seatPlay.svelte';

const answers: SeatChoices[] = [];
vi.mock('../../net/calls', () => ({ calls: { choices: () => Promise.resolve(answers.shift()) } }));

const answer = (number: number, ...words: string[]): SeatChoices => ({
  number,
  stages: [
    [
      {
        kind: 'pick',
        name: 'move',
        prompt: '',
        options: words.map((word) => ({ word, text: '', target: '', help: '' })),
      },
    ],
  ],
  chosen: {},
  action: null,
});

describe('the form of a decision', () => {
  it('ignores the choices of the next decision, which gets a form of its own', async () => {
    const form = new SeatForm({ id: 'm', seat: 'first', view: { number: 0 } } as SeatPlay);
    answers.push(answer(0, 'check', 'bet'), answer(1, 'fold', 'call'));
    form.show(null);
    await vi.waitFor(() => expect(form.answer.stages).toHaveLength(1));
    await form.retry();
    expect(answers).toEqual([]);
    expect(form.answer).toEqual(answer(0, 'check', 'bet'));
  });
});
