import { describe, expect, it } from 'vitest';

import { before, step } from './record/matchInfo';
import { begins, episodeState, inQueue } from './state';
import type { EpisodeSummary, Event } from '../types.gen';

const EPISODE = { created_at: 100, status: 'queued' } as EpisodeSummary;

function folded(...commands: [string, unknown][]) {
  const events = [
    { type: 'EpisodeStarted', at: 101, seq: 2, data: { resumed: null } },
    ...commands.map(([command, value], index) =>
      command === 'EpisodeStarted'
        ? { type: command, at: 103, seq: 3 + index, data: { resumed: 'S1901M' } }
        : { type: 'ControlChanged', at: 102, seq: 3 + index, data: { command, value, by: 'ana' } },
    ),
  ] as unknown as Event[];
  return events.reduce(step, before(EPISODE));
}

describe('the state of an episode in words', () => {
  it('are the same everywhere', () => {
    expect(episodeState({ status: 'live' })).toEqual({ kind: 'live', text: 'Live' });
    expect(episodeState({ status: 'live', paused: true })).toEqual({ kind: 'paused', text: 'Paused' });
    expect(episodeState({ status: 'queued' })).toEqual({ kind: 'queued', text: 'Queued' });
    expect([1, 2, 3, 4, 11, 22].map((place) => episodeState({ status: 'queued', place }).text)).toEqual([
      'Queued (1st)',
      'Queued (2nd)',
      'Queued (3rd)',
      'Queued (4th)',
      'Queued (11th)',
      'Queued (22nd)',
    ]);
    expect(episodeState({ status: 'finished', paused: true }).text).toBe('Final');
  });

  it('say when a match that waits begins', () => {
    expect(inQueue({ place: 2, seconds: null })).toBe('2nd in the queue');
    expect([null, 30, 60, 600].map((seconds) => begins({ place: 1, seconds }))).toEqual([
      '',
      'begins in about 1\u00a0min',
      'begins in about 1\u00a0min',
      'begins in about 10\u00a0min',
    ]);
    expect(begins(null)).toBe('');
  });

  it('name the person whom a match waits for, and the time left', () => {
    const waiting = { name: 'Ana', left: 100 };
    expect(episodeState({ status: 'live', waiting })).toEqual({ kind: 'waiting', text: 'Waiting for Ana 1:40' });
    expect(episodeState({ status: 'live', waiting: { name: 'Ana', left: null } }).text).toBe('Waiting for Ana');
    expect(episodeState({ status: 'live', waiting: { name: 'Ana', left: -3 } }).text).toBe('Waiting for Ana 0:00');
    expect(episodeState({ status: 'live', waiting, paused: true }).text).toBe('Paused');
    expect(episodeState({ status: 'queued', waiting, place: 2 }).text).toBe('Queued (2nd)');
    expect(episodeState({ status: 'stopped', waiting }).text).toBe('Stopped');
    expect(episodeState({ status: 'live', waiting, behind: 9 }).kind).toBe('behind');
  });

  it('say how far back an earlier moment is, without the red of what is live', () => {
    expect(episodeState({ status: 'live', behind: 130 })).toEqual({ kind: 'behind', text: 'Live, 2:10 back' });
    expect(episodeState({ status: 'finished', behind: 130 }).kind).toBe('finished');
  });
});

describe('what the page knows of how a match is steered', () => {
  it('is paused until it is resumed', () => {
    expect(folded(['pause', null]).paused).toBe(true);
    expect(folded(['pause', null], ['resume', null]).paused).toBe(false);
  });

  it('names the seats that a person has taken over', () => {
    expect(folded(['take_over', 'FRANCE']).taken).toEqual(['FRANCE']);
    expect(folded(['take_over', 'FRANCE'], ['hand_back', 'FRANCE']).taken).toEqual([]);
  });

  it('does not call a fork live before it goes on', () => {
    expect(folded(['fork', 'diplomacy-1/40']).status).toBe('queued');
    expect(folded(['fork', 'diplomacy-1/40'], ['EpisodeStarted', null]).status).toBe('live');
  });
});
