import { describe, expect, it } from 'vitest';

import { narrate } from './narrate';
import { board, event } from '../../testing/episode';

const tell = (type: string, data: Record<string, unknown>): string =>
  narrate(board, event(4, type, data), { total: 3, added: [] }).text;

describe('narrate', () => {
  it('describes core events in words and leaves the game to its board', () => {
    expect(tell('PlayerFault', { seat: 'north', boundary: 'timeout', message: 'no answer' })).toBe(
      "north's player failed (it ran out of time): no answer",
    );
    expect(tell('MessageSent', { sender: 'north', recipients: ['south'], text: 'hi', public: false })).toBe(
      'north to south: hi',
    );
    expect(tell('TurnStarted', { turn: 't4' })).toBe('Turn t4');
    expect(tell('Added', { by: 2 })).toBe('3 and 2');
  });

  it('says how a match was steered, never the bare command', () => {
    const steered = (command: string, value: unknown = null) =>
      tell('ControlChanged', { command, value, by: 'operator' });
    expect(steered('hand_back', 'north')).toBe('An operator handed north back to its player');
    expect(steered('take_over', 'north')).toBe('An operator took over north');
    expect(steered('pause')).toBe('An operator paused the match');
    expect(steered('step', 1)).toBe('An operator advanced it by one turn');
    expect(steered('fork', 'match-1/4')).toBe('An operator forked this match from match-1/4');
    expect(steered('set_alight', { a: 1 })).toBe('An operator: set alight');
    expect(tell('ControlChanged', { command: 'stop', value: null, by: 'ana' })).toBe('Ana stopped the match');
  });

  it('never shows what an agent wrote as it stands', () => {
    const text = `\u202e${'x'.repeat(500)}`;
    const sentence = tell('MessageSent', { sender: 'north', recipients: [], text, public: true });
    expect(sentence).toContain('‹202E›');
    expect(sentence.length).toBeLessThan(250);
  });

  it('outlives data of another shape than it knows', () => {
    expect(tell('MessageSent', {})).toBe('MessageSent, which this page cannot display');
    expect(tell('EpisodeEnded', {})).toContain('ended');
  });
});
