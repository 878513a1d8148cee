import { describe, expect, it } from 'vitest';

import { Voice, WAITING, type Line, type Speaker } from './voice';

/** A speaker that says each text until it is told to finish. */
class Slow implements Speaker {
  said: string[] = [];
  hushed = 0;
  #done: (() => void) | null = null;
  say(text: string, done: () => void): void {
    this.said.push(text);
    this.#done = done;
  }
  hush(): void {
    this.hushed++;
  }
  finish(): void {
    this.#done?.();
  }
}

const line = (seq: number): Line => ({ seq, text: `event ${seq}` });

function setUp(): { speaker: Slow; voice: Voice; captions: (Line | null)[] } {
  const speaker = new Slow();
  const captions: (Line | null)[] = [];
  return { speaker, captions, voice: new Voice(speaker, (line) => captions.push(line)) };
}

describe('voice', () => {
  it('says one sentence after another, each with its caption', () => {
    const { speaker, voice, captions } = setUp();
    voice.tell([line(1), line(2)]);
    expect(speaker.said).toEqual(['event 1']);
    speaker.finish();
    speaker.finish();
    expect(speaker.said).toEqual(['event 1', 'event 2']);
    expect(captions).toEqual([line(1), line(2), null]);
  });

  it('drops what is stale when it falls behind', () => {
    const { speaker, voice } = setUp();
    voice.tell([line(0)]);
    for (let seq = 1; seq <= 100; seq++) voice.tell([line(seq)]);
    for (let n = 0; n < 10; n++) speaker.finish();
    expect(speaker.said).toEqual([
      'event 0',
      ...Array.from({ length: WAITING }, (_, n) => `event ${101 - WAITING + n}`),
    ]);
  });

  it('never says a number twice, nor what came before it began', () => {
    const { speaker, voice } = setUp();
    voice.skipTo(5);
    voice.tell([line(4), line(5), line(6)]);
    voice.tell([line(5), line(6)]);
    speaker.finish();
    expect(speaker.said).toEqual(['event 6']);
  });

  it('falls silent at once, and a late word of the speaker changes nothing', () => {
    const { speaker, voice, captions } = setUp();
    voice.tell([line(1), line(2)]);
    voice.hush();
    speaker.finish();
    expect(speaker.said).toEqual(['event 1']);
    expect(speaker.hushed).toBe(1);
    expect(captions.at(-1)).toBeNull();
  });
});
