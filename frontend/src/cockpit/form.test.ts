import { describe, expect, it } from 'vitest';

import { event, summary } from '../testing/episode';
import type { GameInfo, PlayerInfo } from '../types.gen';
import { again, blank, optionsOf, presets, request, textOf, valueOf, withSeats } from './form';

const player = (name: string, kind: string, reason = ''): PlayerInfo => ({
  name,
  kind,
  game: 'sum',
  description: '',
  available: reason === '',
  reason,
});

const game: GameInfo = {
  name: 'sum',
  title: 'Sums',
  seats: ['north', 'south', 'west'],
  options: {
    properties: {
      lastYear: { type: 'integer', default: 1920, title: 'Last Year', description: 'when it ends' },
      press: { type: 'string', enum: ['none', 'full'], default: 'full' },
      votes: { type: 'boolean', default: true },
    },
  },
  players: [
    player('best', 'bot'),
    player('worse', 'bot'),
    player('person', 'human'),
    player('gpt', 'llm', 'set the key'),
  ],
  formats: ['html', 'jsonl'],
  seats_by: {},
  cast: ['worse', 'best', 'worse'],
};

describe('the start form', () => {
  it('takes an object as JSON, and leaves text that is none to the server', () => {
    const schema = { properties: { start: { anyOf: [{ type: 'object' }, { type: 'null' }], default: null } } };
    const [option] = optionsOf(schema);
    expect(option).toMatchObject({ name: 'start', kind: 'json', initial: null });
    const position = { phase: 'S1901M' };
    const read = (text: string): unknown => valueOf(text, { kind: 'json', initial: null });
    expect(read(textOf(position))).toEqual(position);
    expect(read('{')).toBe('{');
    expect(read(' ')).toBeNull();
    expect(textOf(null)).toBe('');
    expect(valueOf('7', { kind: 'whole', initial: 1 })).toBe(7);
    expect(valueOf('', { kind: 'whole', initial: 1 })).toBe(1);
    expect(valueOf('', { kind: 'text', initial: 'x' })).toBe('');
  });

  it('has a field for every option of the game', () => {
    expect(optionsOf(game.options)).toEqual([
      { name: 'lastYear', title: 'Last year', help: 'when it ends', kind: 'whole', choices: [], initial: 1920 },
      { name: 'press', title: 'press', help: '', kind: 'choice', choices: ['none', 'full'], initial: 'full' },
      { name: 'votes', title: 'votes', help: '', kind: 'flag', choices: [], initial: true },
    ]);
  });

  it('sends who plays and what differs from the usual', () => {
    const settings = blank(game);
    const cast = { north: 'worse', south: 'best', west: 'worse' };
    expect(request(settings, game)).toEqual({ game: 'sum', players: cast, reveal: 'live' });
    settings.options['press'] = 'none';
    settings.pace = 0;
    settings.paused = true;
    expect(request(settings, game)).toEqual({
      game: 'sum',
      players: settings.players,
      options: { press: 'none' },
      pace: 0,
      paused: true,
      reveal: 'live',
    });
  });

  it('shows the secrets at once, or after the end where a person plays, unless it is told otherwise', () => {
    const settings = { ...blank(game), players: { north: 'person', south: 'best', west: 'best' } };
    expect(request(settings, game).reveal).toBe('after');
    expect(request({ ...settings, reveal: 'never' }, game).reveal).toBe('never');
  });

  it('has the seats of the options, and keeps who sits in those that remain', () => {
    const table: GameInfo = {
      ...game,
      seats_by: { size: { 2: ['north', 'south'], 4: ['north', 'south', 'west', 'east'] } },
    };
    expect(withSeats(table, { press: 'full' })).toBe(table);
    const settings = {
      ...blank(table),
      players: { north: 'worse', south: 'best', west: 'best' },
      options: { size: 4 },
    };
    expect(request(settings, withSeats(table, settings.options)).players).toEqual({
      north: 'worse',
      south: 'best',
      west: 'best',
      east: 'worse',
    });
    const two = { ...settings, options: { size: 2 } };
    expect(request(two, withSeats(table, two.options)).players).toEqual({ north: 'worse', south: 'best' });
  });

  it('seats ready-made tables, and says what one lacks', () => {
    const [showcase, strongest, mixed, person, models] = presets(game, false);
    expect(showcase?.players).toEqual({ north: 'worse', south: 'best', west: 'worse' });
    expect(strongest?.players).toEqual({ north: 'best', south: 'best', west: 'best' });
    expect(mixed?.players).toEqual({ north: 'best', south: 'worse', west: 'best' });
    expect(person?.players).toEqual({ north: 'person', south: 'best', west: 'best' });
    expect(models).toMatchObject({ players: null, says: 'set the key' });
    expect(presets(game, true).map(({ id }) => id)).toEqual(['showcase', 'strongest', 'mixed']);
    expect(presets(game, true, true).map(({ id }) => id)).toEqual(['showcase', 'strongest', 'mixed', 'person']);
    expect(presets({ ...game, cast: ['best'] }, true).map(({ id }) => id)).toEqual(['strongest', 'mixed']);
    for (const cast of [['other'], ['best', 'other']]) expect(presets({ ...game, cast }, true)[0]?.id).toBe('showcase');
  });

  it('begins again with the settings of a match, its seed where it may be known', () => {
    const episode = {
      ...summary,
      title: 'The first',
      options: { press: 'none' },
      seats: [
        { seat: 'north', player: 'gpt', kind: 'llm', prompt: '1a2b3c4d5e6f' },
        { seat: 'south', player: 'gone', kind: 'bot', prompt: '' },
        { seat: 'west', player: 'worse', kind: 'bot', prompt: '' },
      ],
      reveal: 'after' as const,
      delay: 5,
      clock: 60,
      approve: true,
      voice: true,
      commentator: 'gpt',
    };
    const first = [
      event(1, 'SeedSet', { seed: 0 }),
      event(2, 'ControlChanged', { command: 'pace', value: 0.5, by: 'api' }),
      event(3, 'ControlChanged', { command: 'turns', value: 12, by: 'api' }),
    ];
    expect(again(episode, first, game)).toEqual({
      game: 'sum',
      players: { north: 'gpt', south: 'best', west: 'worse' },
      options: { lastYear: 1920, press: 'none', votes: true },
      title: 'The first',
      seed: 0,
      pace: 0.5,
      turns: 12,
      clock: 60,
      delay: 5,
      reveal: 'after',
      approve: true,
      paused: false,
      voice: true,
      commentator: 'gpt',
    });
    expect(again(episode, [], game)).toMatchObject({ seed: null, pace: null, turns: null });
    expect(again({ ...episode, commentator: 'gone' }, first, game).commentator).toBe('');
  });
});
