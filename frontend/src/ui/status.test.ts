import { describe, expect, it } from 'vitest';

import { before, step } from '../episode/matchInfo';
import { standing } from './status';
import type { EpisodeSummary, Event } from '../types.gen';

const EPISODE = { created_at: 100, status: 'queued' } as EpisodeSummary;

function told(...commands: [string, unknown][]) {
  const events = [
    { type: 'EpisodeStarted', at: 101, seq: 2, data: {} },
    ...commands.map(([command, value], index) =>
      command === 'EpisodeResumed'
        ? { type: command, at: 103, seq: 3 + index, data: { turn: 'S1901M' } }
        : { type: 'ControlChanged', at: 102, seq: 3 + index, data: { command, value, by: 'ana' } },
    ),
  ] as unknown as Event[];
  return events.reduce(step, before(EPISODE));
}

describe('the words for what a match is doing', () => {
  it('are the same everywhere', () => {
    expect(standing({ status: 'live' })).toEqual({ kind: 'live', text: 'Live' });
    expect(standing({ status: 'live', paused: true })).toEqual({ kind: 'paused', text: 'Paused' });
    expect(standing({ status: 'queued' })).toEqual({ kind: 'queued', text: 'Queued' });
    expect([1, 2, 3, 4, 11, 22].map((place) => standing({ status: 'queued', place }).text)).toEqual([
      'Queued (1st)',
      'Queued (2nd)',
      'Queued (3rd)',
      'Queued (4th)',
      'Queued (11th)',
      'Queued (22nd)',
    ]);
    expect(standing({ status: 'finished', paused: true }).text).toBe('Final');
  });

  it('say how far back an earlier moment is, without the red of what is live', () => {
    expect(standing({ status: 'live', behind: 130 })).toEqual({ kind: 'behind', text: 'Live, 2:10 back' });
    expect(standing({ status: 'finished', behind: 130 }).kind).toBe('finished');
  });
});

describe('what the page knows of how a match is steered', () => {
  it('is paused until it is resumed', () => {
    expect(told(['pause', null]).paused).toBe(true);
    expect(told(['pause', null], ['resume', null]).paused).toBe(false);
  });

  it('names the seats that a person has taken over', () => {
    expect(told(['take_over', 'FRANCE']).taken).toEqual(['FRANCE']);
    expect(told(['take_over', 'FRANCE'], ['hand_back', 'FRANCE']).taken).toEqual([]);
  });

  it('does not call a fork live before it goes on', () => {
    expect(told(['fork', 'diplomacy-1/40']).status).toBe('queued');
    expect(told(['fork', 'diplomacy-1/40'], ['EpisodeResumed', null]).status).toBe('live');
  });
});
