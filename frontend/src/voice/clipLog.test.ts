import { describe, expect, it } from 'vitest';

import { EMPTY, reduce } from '../episode/record/store';
import { event } from '../testing/episode';
import { ClipLog } from './clipLog';

const ready = (seq: number, comment: number): ReturnType<typeof event> =>
  event(seq, 'VoiceReady', { comment, clip: `clip${comment}`, seconds: 2, words: [], whole: true });

const EVENTS = [
  event(0, 'EpisodeCreated', { title: 'A test' }),
  event(1, 'VoiceChanged', { kind: 'clips', reason: '' }),
  event(2, 'CommentAdded', { text: 'a', importance: 1, rests_on: [0], beat: 'b' }),
  ready(3, 2),
  event(4, 'VoiceChanged', { kind: 'browser', reason: 'the provider answers 401' }),
];

describe('the clips of a match', () => {
  it('are known by the numbers of their lines, and what spoke at each moment', () => {
    const log = new ClipLog();
    log.read(reduce(EMPTY, { do: 'frames', frames: EVENTS.map((item) => ({ frame: 'event', event: item })) }));
    expect(log.clip(2)?.clip).toBe('clip2');
    expect(log.clip(3)).toBeUndefined();
    expect([0, 1, 3, 4].map((seq) => log.spokeAt(seq))).toEqual([false, true, true, false]);
    expect(log.state).toEqual({ kind: 'browser', reason: 'the provider answers 401' });
  });

  it('are those of the record that is shown', () => {
    const log = new ClipLog();
    log.read(reduce(EMPTY, { do: 'frames', frames: EVENTS.map((item) => ({ frame: 'event', event: item })) }));
    log.read({ ...EMPTY, generation: 1 });
    expect(log.clip(2)).toBeUndefined();
    expect(log.spokeAt(3)).toBe(false);
  });

  it('of the last lines are in the list of the server', () => {
    const log = new ClipLog();
    log.add([{ comment: 9, clip: 'last', seconds: 1, words: [], whole: true }]);
    expect(log.clip(9)?.clip).toBe('last');
  });
});
