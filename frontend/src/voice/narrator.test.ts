import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { VoiceReady } from '../types.gen';
import type { Line } from './lines';
import { LAST_PATIENCE, Narrator, PATIENCE, type Conditions } from './narrator';
import type { Speaker } from './voice';

const LINE: Line = { seq: 4, text: 'North moves.', importance: 1, speaker: '' };
const CLIP: VoiceReady = { comment: 4, clip: 'c', seconds: 2, words: [{ text: 'North', start: 0.1 }], whole: true };

class Spy implements Speaker {
  lines: string[] = [];
  hushed = 0;
  say({ text }: Line, done: () => void): void {
    this.lines.push(text);
    done();
  }
  hush(): void {
    this.hushed++;
  }
}

function setUp(change: Partial<Conditions> = {}, play: () => Promise<void> = () => Promise.resolve()) {
  const conditions: Conditions = {
    audible: () => true,
    clip: () => undefined,
    expects: () => true,
    over: () => false,
    spokeAt: () => true,
    browser: () => true,
    ...change,
  };
  const browser = new Spy();
  const silent = new Spy();
  const played: string[] = [];
  const player = {
    play: ({ clip }: VoiceReady, progress: (time: number) => void) => {
      played.push(clip);
      progress(0.5);
      return play();
    },
    hush: vi.fn(),
  };
  const done = vi.fn();
  const progress = vi.fn();
  const narrator = new Narrator(conditions, player, browser, silent, progress);
  return { narrator, conditions, browser, silent, player, played, done, progress };
}

describe('how a line is spoken', () => {
  beforeEach(() => {
    vi.stubGlobal('window', globalThis);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('in its clip, with the time of the audio', async () => {
    const { narrator, played, browser, done, progress } = setUp({ clip: () => CLIP });
    narrator.say(LINE, done);
    await vi.runAllTimersAsync();
    expect([played, browser.lines]).toEqual([['c'], []]);
    expect(done).toHaveBeenCalledOnce();
    expect(progress).toHaveBeenCalledWith(CLIP, 0.5);
  });

  it('in a clip that becomes ready while it is waited for', async () => {
    const known: VoiceReady[] = [];
    const { narrator, played, done } = setUp({ clip: () => known[0] });
    narrator.say(LINE, done);
    await vi.advanceTimersByTimeAsync(PATIENCE / 2);
    expect(played).toEqual([]);
    known.push(CLIP);
    await vi.runAllTimersAsync();
    expect(played).toEqual(['c']);
  });

  it('in the clip of a last line, as long as the server makes it', async () => {
    const known: VoiceReady[] = [];
    const { narrator, played, done } = setUp({ clip: () => known[0], over: () => true });
    narrator.say(LINE, done);
    await vi.advanceTimersByTimeAsync(LAST_PATIENCE - 100);
    known.push(CLIP);
    await vi.runAllTimersAsync();
    expect(played).toEqual(['c']);
  });

  it('as a caption, where the server has dropped the line', async () => {
    const { narrator, silent, browser, done } = setUp();
    narrator.say(LINE, done);
    await vi.advanceTimersByTimeAsync(PATIENCE + 100);
    expect([silent.lines, browser.lines]).toEqual([[LINE.text], []]);
    expect(done).toHaveBeenCalledOnce();
  });

  it('by the browser as soon as the server makes no clips', async () => {
    let expected = true;
    const { narrator, browser, done } = setUp({ expects: () => expected, spokeAt: () => expected });
    narrator.say(LINE, done);
    await vi.advanceTimersByTimeAsync(200);
    expected = false;
    await vi.advanceTimersByTimeAsync(100);
    expect(browser.lines).toEqual([LINE.text]);
  });

  it('by the browser, where its clip cannot be fetched', async () => {
    const { narrator, browser, done } = setUp({ clip: () => CLIP }, () => Promise.reject(new Error('404')));
    narrator.say(LINE, done);
    await vi.runAllTimersAsync();
    expect(browser.lines).toEqual([LINE.text]);
    expect(done).toHaveBeenCalledOnce();
  });

  it('as a caption before a gesture, and where the browser has no speech', async () => {
    const before = setUp({ audible: () => false, clip: () => CLIP });
    before.narrator.say(LINE, before.done);
    expect([before.silent.lines, before.played]).toEqual([[LINE.text], []]);
    const without = setUp({ expects: () => false, spokeAt: () => false, browser: () => false });
    without.narrator.say(LINE, without.done);
    await vi.runAllTimersAsync();
    expect(without.silent.lines).toEqual([LINE.text]);
  });

  it('by the browser for a letter without a clip, at once if not everybody may read it', async () => {
    const letter = { lead: 'A to B:', turn: 'S1901M', public: false };
    const secret = setUp({ clip: () => CLIP });
    secret.narrator.say({ ...LINE, letter }, secret.done);
    await vi.advanceTimersByTimeAsync(0);
    expect([secret.browser.lines, secret.played]).toEqual([[LINE.text], []]);
    const open = setUp();
    open.narrator.say({ ...LINE, letter: { ...letter, public: true } }, open.done);
    await vi.advanceTimersByTimeAsync(0);
    expect(open.browser.lines).toEqual([]);
    await vi.advanceTimersByTimeAsync(PATIENCE + 100);
    expect(open.browser.lines).toEqual([LINE.text]);
  });

  it('not at all once it is hushed', async () => {
    const known: VoiceReady[] = [];
    const { narrator, player, played, done } = setUp({ clip: () => known[0] });
    narrator.say(LINE, done);
    narrator.hush();
    known.push(CLIP);
    await vi.runAllTimersAsync();
    expect(played).toEqual([]);
    expect(done).not.toHaveBeenCalled();
    expect(player.hush).toHaveBeenCalledOnce();
  });
});
