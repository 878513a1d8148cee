import { describe, expect, it, vi } from 'vitest';

import type { AskChoices, PickSlot, SeatChoices } from '../types.gen';
import { Answer } from './answer.svelte';
import type { Action, Chosen, Slot, Stage } from './slots';

const pick = (name: string, words: string[], usual: string | null = words[0] ?? null): PickSlot => ({
  kind: 'pick',
  name,
  prompt: '',
  options: words.map((word) => ({ word, text: '', target: word, help: '', kind: '' })),
  default: usual,
});
const TOOL = pick('tool', ['play', 'plan', 'field']);
const POSITIONS: Slot = { kind: 'many', name: 'positions', prompt: '', options: [], least: 0, most: 2, default: ['a'] };
/** The stages that follow from a tool. The shot of a plan is called as that of a ball, and has other words. */
const AFTER: Record<string, Stage[]> = {
  play: [[pick('shot', ['natural', 'drive'])]],
  plan: [[pick('shot', ['no plan', 'drive']), { kind: 'text', name: 'note', prompt: '', limit: 9 }]],
  field: [[pick('preset', ['slips', 'own'], null)], [POSITIONS]],
};

/** A server that offers what the grammar does, answers in time, and refuses as ours does. */
class Server {
  number = 0;
  refusals: string[] = [];
  drafts: Action[] = [];
  sent: Action[] = [];
  passed = vi.fn<() => void>();
  requests: AskChoices[] = [];
  #waiting: (() => void)[] = [];

  answer = (draft: Action | null = null): Answer =>
    new Answer({
      number: this.number,
      draft,
      ask: async (request) => {
        this.requests.push(request);
        await new Promise<void>((done) => this.#waiting.push(done));
        return this.#choices(request);
      },
      change: (action) => this.drafts.push(action),
      submit: (action) => Promise.resolve(void this.sent.push(action)),
      passed: this.passed,
    });

  /** Answer the oldest request. */
  respond(): void {
    this.#waiting.shift()?.();
  }

  /** Answer every request, also those that follow from it. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) {
      this.respond();
      await Promise.resolve().then(() => Promise.resolve());
    }
  }

  #choices({ number, chosen = {}, action }: AskChoices): SeatChoices {
    const values: Chosen = {};
    const given = number === this.number ? (action ?? chosen) : {};
    const stages: Stage[] = [];
    for (let stage: Stage | undefined = [TOOL]; stage; stage = AFTER[String(values['tool'])]?.[stages.length - 1]) {
      stages.push(stage);
      for (const slot of stage) {
        const value = (given[slot.name] ?? (slot.kind === 'text' ? '' : slot.default)) as string | null;
        if (slot.kind === 'pick' && value && !slot.options.some(({ word }) => word === value))
          this.#refuse(slot, value);
        if (value !== null) values[slot.name] = value;
      }
      if (stage.some(({ name }) => !(name in values))) break;
    }
    const whole = stages.flat().every(({ name }) => name in values);
    return { number: this.number, stages, chosen: values, action: whole ? values : null };
  }

  #refuse({ name }: Slot, value: string): never {
    this.refusals.push(`${name} does not offer ${value}`);
    throw new Error('422');
  }
}

async function asked(draft: Action | null = null): Promise<[Server, Answer]> {
  const server = new Server();
  const answer = server.answer(draft);
  await server.settle();
  return [server, answer];
}

describe('an answer', () => {
  it('begins with the defaults, and with a draft, and saves neither', async () => {
    const [server, answer] = await asked();
    expect(answer.chosen).toEqual({ tool: 'play', shot: 'natural' });
    expect(answer.whole).toBe(true);
    expect((await asked({ tool: 'plan', note: 'wait' }))[1].chosen).toEqual({
      tool: 'plan',
      shot: 'no plan',
      note: 'wait',
    });
    expect(server.drafts).toEqual([]);
  });

  it('shows a choice at once, saves the action that it makes, and sends it after the last change', async () => {
    const [server, answer] = await asked();
    answer.pick('shot', 'drive');
    expect(answer.chosen['shot']).toBe('drive');
    expect(answer.whole).toBe(true);
    const sending = answer.send();
    expect(server.sent).toEqual([]);
    await server.settle();
    await sending;
    expect(server.drafts).toEqual([{ tool: 'play', shot: 'drive' }]);
    expect(server.sent).toEqual(server.drafts);
  });

  it('counts clicks that come before the choices do', async () => {
    const server = new Server();
    const answer = server.answer();
    answer.at('play');
    answer.at('plan');
    await server.settle();
    expect(answer.chosen['tool']).toBe('plan');
  });

  it('counts a drag that comes before the choices do', async () => {
    const server = new Server();
    const [early, late] = [server.answer(), server.answer()];
    early.drag('play', 'field');
    await server.settle();
    late.drag('play', 'field');
    await server.settle();
    expect(early.chosen).toEqual(late.chosen);
    expect(early.chosen['tool']).toBe('field');
  });

  it('takes no value of a stage that depends on what is asked', async () => {
    const [server, answer] = await asked();
    answer.pick('tool', 'plan');
    await server.settle();
    answer.pick('note', 'wait');
    await server.settle();
    answer.pick('tool', 'play');
    answer.pick('shot', 'no plan');
    expect([answer.open, answer.whole]).toEqual([1, false]);
    await server.settle();
    expect([server.refusals, answer.failure, answer.open]).toEqual([[], '', 2]);
    expect(answer.chosen).toEqual({ tool: 'play', shot: 'natural' });
  });

  it('asks for the last of several changes with nothing that depends on the ones before', async () => {
    const [server, answer] = await asked();
    answer.pick('tool', 'plan');
    await Promise.resolve();
    answer.pick('tool', 'play');
    answer.pick('tool', 'plan');
    answer.pick('tool', 'play');
    await server.settle();
    expect([server.refusals, answer.chosen]).toEqual([[], { tool: 'play', shot: 'natural' }]);
    expect(server.requests.map(({ chosen }) => chosen?.['tool'])).toEqual([undefined, 'plan', 'play']);
  });

  it('keeps what is chosen in a later stage that is as it was, and asks about it', async () => {
    const [server, answer] = await asked();
    answer.pick('tool', 'field');
    await server.settle();
    answer.pick('preset', 'own');
    await server.settle();
    expect(answer.chosen['positions']).toBeUndefined();
    answer.pick('positions', ['b', 'c']);
    await server.settle();
    answer.pick('preset', 'slips');
    await server.settle();
    expect(answer.chosen['positions']).toEqual(['b', 'c']);
    expect(server.drafts.at(-1)).toEqual({ tool: 'field', preset: 'slips', positions: ['b', 'c'] });
  });

  it('takes values of stages that are not known yet with those that they follow from', async () => {
    const [server, answer] = await asked();
    answer.give({ tool: 'plan', shot: 'drive', note: 'now' });
    await server.settle();
    expect(answer.chosen).toEqual({ tool: 'plan', shot: 'drive', note: 'now' });
    expect(server.requests).toHaveLength(2);
  });

  it('does not ask about an incomplete value, and is not whole', async () => {
    const [server, answer] = await asked({ tool: 'plan' });
    answer.pick('note', 'much too long');
    await server.settle();
    expect([answer.chosen['note'], answer.whole]).toEqual(['much too long', false]);
    expect(server.requests).toHaveLength(1);
  });

  it('ends when the server asks for another decision: that one gets an answer of its own', async () => {
    const [server, answer] = await asked();
    answer.pick('shot', 'drive');
    server.number++;
    await server.settle();
    expect(server.passed).toHaveBeenCalledOnce();
    expect([answer.failure, answer.chosen['shot'], answer.whole]).toEqual(['', 'drive', false]);
    expect([server.refusals, server.drafts]).toEqual([[], []]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6])('asks about a change %i steps after a response', async (steps) => {
    const [server, answer] = await asked();
    answer.pick('shot', 'drive');
    server.respond();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    answer.pick('shot', 'natural');
    await server.settle();
    expect(server.drafts.at(-1)).toEqual({ tool: 'play', shot: 'natural' });
    expect(answer.whole).toBe(true);
  });

  it('makes a request that failed again', async () => {
    const [server, answer] = await asked();
    const choices = vi.spyOn(server.requests, 'push').mockImplementationOnce(() => {
      throw new Error('no connection');
    });
    answer.pick('shot', 'drive');
    await server.settle();
    expect([answer.failure, answer.whole]).toEqual(['no connection', false]);
    choices.mockRestore();
    void answer.retry();
    await server.settle();
    expect([answer.failure, answer.whole]).toEqual(['', true]);
  });
});
