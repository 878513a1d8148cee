/** The browser's speech synthesis, and the silent reading of captions. */

import type { Speaker } from './voice';
import type { Line } from './lines';

export const canSpeak = (): boolean => 'speechSynthesis' in window;

/** Some engines never report the end of an utterance; after this time per character it counts as finished. */
const LONGEST_PER_CHARACTER = 200;
const LEAST = 4000;
/** The pitch of the analyst, who may have to speak with the commentator's voice. */
const LOWER = 0.8;

/** The viewer's volume, rate and voice. */
export interface Sound {
  /** From 0 to 1. */
  readonly volume: number;
  /** 1 is the usual speed. */
  readonly rate: number;
  /** The name of a voice of the browser; '' for its own choice. */
  readonly voice: string;
}

export class BrowserSpeaker implements Speaker {
  #timer = 0;

  constructor(private readonly sound: () => Sound) {}

  say({ text, speaker }: Line, done: () => void): void {
    const { volume, rate, voice } = this.sound();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = 'en';
    utterance.volume = volume;
    utterance.rate = rate;
    // Some browsers load their voices late: the list is read again for each line.
    const voices = englishVoices();
    const own = voices.find(({ name }) => name === voice) ?? null;
    utterance.voice = speaker ? (voices.find((other) => other !== (own ?? voices[0])) ?? own) : own;
    if (speaker) utterance.pitch = LOWER;
    let open = true;
    const finish = (): void => {
      clearTimeout(this.#timer);
      if (open) done();
      open = false;
    };
    utterance.onend = utterance.onerror = finish;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(
      () => {
        speechSynthesis.cancel();
        finish();
      },
      LEAST + (text.length * LONGEST_PER_CHARACTER) / rate,
    );
    // Safari and Chrome may be left paused by a tab that was hidden.
    speechSynthesis.resume?.();
    speechSynthesis.speak(utterance);
  }

  hush(): void {
    clearTimeout(this.#timer);
    speechSynthesis.cancel();
  }
}

/** Return the English voices of this browser. */
export function englishVoices(): SpeechSynthesisVoice[] {
  return canSpeak() ? (speechSynthesis.getVoices?.() ?? []).filter(({ lang }) => lang.startsWith('en')) : [];
}

/** Milliseconds for which a caption without sound is shown: the least, and for each character. */
const SHORTEST = 1500;
const READING = 55;

/** Shows each line for as long as it takes to read it. */
export class SilentSpeaker implements Speaker {
  #timer = 0;

  say({ text }: Line, done: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(done, SHORTEST + text.length * READING);
  }

  hush(): void {
    clearTimeout(this.#timer);
  }
}
