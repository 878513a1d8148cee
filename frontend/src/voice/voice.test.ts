import { describe, expect, it } from 'vitest';

import type { Line } from './lines';
import { Voice, WAITING, type Speaker } from './voice';

/** A speaker that says each line until it is told to finish. */
class Slow implements Speaker {
  spoken: string[] = [];
  hushed = 0;
  #done: (() => void) | null = null;
  say({ text }: Line, done: () => void): void {
    this.spoken.push(text);
    this.#done = done;
  }
  hush(): void {
    this.hushed++;
  }
  finish(): void {
    this.#done?.();
  }
}

const line = (seq: number, importance = 0.5): Line => ({ seq, text: `event ${seq}`, importance, speaker: '' });

function setUp(): { speaker: Slow; voice: Voice; captions: (Line | null)[] } {
  const speaker = new Slow();
  const captions: (Line | null)[] = [];
  return { speaker, captions, voice: new Voice(speaker, (caption) => captions.push(caption)) };
}

function finishAll(speaker: Slow): void {
  for (let n = 0; n < 20; n++) speaker.finish();
}

describe('voice', () => {
  it('speaks one line after another, each with its caption', () => {
    const { speaker, voice, captions } = setUp();
    voice.tell([line(1), line(2)]);
    expect(speaker.spoken).toEqual(['event 1']);
    finishAll(speaker);
    expect(speaker.spoken).toEqual(['event 1', 'event 2']);
    expect(captions).toEqual([line(1), line(2), null]);
  });

  it('drops the least important lines when it falls behind, and of equal ones the oldest', () => {
    const { speaker, voice } = setUp();
    voice.tell([line(0)]);
    voice.tell([line(1, 0.9)]);
    for (let seq = 2; seq <= 100; seq++) voice.tell([line(seq, 0.2)]);
    finishAll(speaker);
    expect(speaker.spoken).toEqual(['event 0', 'event 1', 'event 100']);
  });

  it('is never more than two lines behind, also when many come at once', () => {
    const { speaker, voice } = setUp();
    voice.tell(Array.from({ length: 30 }, (_, seq) => line(seq, seq % 10 === 7 ? 1 : 0.1)));
    expect(speaker.spoken).toEqual(['event 7']);
    finishAll(speaker);
    expect(speaker.spoken).toHaveLength(1 + WAITING);
    expect(speaker.spoken).toEqual(['event 7', 'event 17', 'event 27']);
  });

  it('drops the letters that wait when their turn is over, and no others', () => {
    const { speaker, voice } = setUp();
    const letter = (seq: number, turn: string): Line => ({
      ...line(seq),
      letter: { lead: 'A to B:', turn, public: false },
    });
    voice.tell([letter(1, 'S1901M'), letter(2, 'S1901M'), line(3)]);
    voice.turnTo('S1901M');
    voice.turnTo('F1901M');
    finishAll(speaker);
    expect(speaker.spoken).toEqual(['event 1', 'event 3']);
  });

  it('falls silent at once, and a late word of the speaker changes nothing', () => {
    const { speaker, voice, captions } = setUp();
    voice.tell([line(1), line(2)]);
    voice.hush();
    speaker.finish();
    expect(speaker.spoken).toEqual(['event 1']);
    expect(speaker.hushed).toBe(1);
    expect(captions.at(-1)).toBeNull();
    voice.tell([line(3)]);
    expect(speaker.spoken).toEqual(['event 1', 'event 3']);
  });
});
