import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Line } from './lines';
import { BrowserSpeaker, knowVoices, LOADING } from './speaker';

class Utterance {
  lang = '';
  volume = 1;
  rate = 1;
  pitch = 1;
  voice: { name: string } | null = null;
  onend: (() => void) | null = null;
  constructor(readonly text: string) {}
}

/** A browser with voices that may come late. */
class Synthesis extends EventTarget {
  spoken: Utterance[] = [];
  voices: { name: string; lang: string; default?: boolean }[] = [];
  getVoices = () => this.voices;
  speak = (utterance: Utterance) => this.spoken.push(utterance);
  cancel = vi.fn();
  come(...names: string[]): void {
    this.voices = names.map((name) => ({ name, lang: 'en-GB' }));
    this.dispatchEvent(new Event('voiceschanged'));
  }
}

let synthesis: Synthesis;

beforeEach(() => {
  synthesis = new Synthesis();
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('speechSynthesis', synthesis);
  vi.stubGlobal('SpeechSynthesisUtterance', Utterance);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('whether the browser has a voice', () => {
  const known = (): { told: boolean[]; end: () => void } => {
    const told: boolean[] = [];
    return { told, end: knowVoices((any) => told.push(any)) };
  };

  it('is known at once where the list is there', () => {
    synthesis.come('Ada');
    expect(known().told).toEqual([true]);
  });

  it('is known when the list comes late, and before its time is over if it comes empty', () => {
    const late = known();
    vi.advanceTimersByTime(LOADING - 1);
    expect(late.told).toEqual([]);
    synthesis.come('Ada');
    vi.advanceTimersByTime(LOADING);
    expect(late.told).toEqual([true]);
    synthesis.come();
    expect(late.told).toEqual([true, false]);
  });

  it('is denied after two seconds without a list, and no longer once there is one', () => {
    const { told, end } = known();
    vi.advanceTimersByTime(LOADING);
    expect(told).toEqual([false]);
    synthesis.come('Ada');
    expect(told).toEqual([false, true]);
    end();
    synthesis.come();
    expect(told).toEqual([false, true]);
  });

  it('is denied where there is no speech at all', () => {
    vi.stubGlobal('window', {});
    expect(known().told).toEqual([false]);
  });
});

describe('what the browser speaks', () => {
  const speaker = new BrowserSpeaker(
    () => ({ volume: 1, rate: 1.3, voice: '' }),
    () => ['Bismarck', 'Andrassy'],
  );
  const letter = (text: string, from: string): Line => ({
    ...{ seq: 1, text, importance: 0.5, speaker: from },
    letter: { lead: `${from} to all:`, turn: 'S1901M', public: true },
  });

  it('is who writes a letter in the voice of the commentator, and its words in that of the writer', () => {
    synthesis.come('Ada', 'Ben', 'Cleo');
    const done = vi.fn();
    for (const from of ['Bismarck', 'Andrassy', 'Bismarck']) speaker.say(letter('Peace.', from), done);
    const [lead, words, , other, , again] = synthesis.spoken;
    expect([lead?.text, lead?.voice]).toEqual(['Bismarck to all:', null]);
    expect([words?.text, again?.voice?.name]).toEqual(['Peace.', words?.voice?.name]);
    expect(new Set(['Ada', words?.voice?.name, other?.voice?.name]).size).toBe(3);
    lead?.onend?.();
    expect(done).not.toHaveBeenCalled();
    again?.onend?.();
    expect(done).toHaveBeenCalledOnce();
  });

  it('is told apart by pitch and rate where the commentator has the only voice', () => {
    synthesis.come('Ada');
    for (const from of ['Bismarck', 'Andrassy']) speaker.say(letter('Peace.', from), () => undefined);
    const tones = synthesis.spoken.map(({ pitch, rate }) => `${pitch} ${rate}`);
    expect(new Set(tones).size).toBe(3);
    expect(tones[0]).toBe('1 1.3');
  });
});
