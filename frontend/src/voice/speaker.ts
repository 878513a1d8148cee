/** The browser's speech synthesis, and the silent reading of captions. */

import { cast } from './cast';
import type { Line } from './lines';
import type { Speaker } from './voice';

const canSpeak = (): boolean => 'speechSynthesis' in window;

export const NO_VOICE = 'This browser has no voice; captions are shown instead.';

/** Milliseconds that a browser has for loading its voices. */
export const LOADING = 2000;

/**
 * Call `told` with whether this browser has a voice: once it is known, and again when the list of voices changes. Return
 * the function that ends this.
 */
export function knowVoices(told: (any: boolean) => void): () => void {
  if (!canSpeak()) {
    told(false);
    return () => undefined;
  }
  const any = (): boolean => allVoices().length > 0;
  const tell = (): void => {
    clearTimeout(timer);
    told(any());
  };
  const timer = window.setTimeout(tell, LOADING);
  speechSynthesis.addEventListener?.('voiceschanged', tell);
  if (any()) tell();
  return () => {
    clearTimeout(timer);
    speechSynthesis.removeEventListener?.('voiceschanged', tell);
  };
}

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

  constructor(
    private readonly sound: () => Sound,
    /** Return the names of all who may write letters. */
    private readonly characters: () => readonly string[],
  ) {}

  say(line: Line, done: () => void): void {
    const { rate } = this.sound();
    const utterances = this.#utterances(line);
    const length = utterances.reduce((sum, { text }) => sum + text.length, 0);
    const last = utterances.at(-1);
    if (!last) return done();
    let open = true;
    const finish = (): void => {
      clearTimeout(this.#timer);
      if (open) done();
      open = false;
    };
    last.onend = last.onerror = finish;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(
      () => {
        speechSynthesis.cancel();
        finish();
      },
      LEAST + (length * LONGEST_PER_CHARACTER) / rate,
    );
    // Safari and Chrome may be left paused by a tab that was hidden.
    speechSynthesis.resume?.();
    for (const utterance of utterances) speechSynthesis.speak(utterance);
  }

  hush(): void {
    clearTimeout(this.#timer);
    speechSynthesis.cancel();
  }

  /** Return what is said of a line: of a letter, who writes to whom in the commentator's voice, and its words. */
  #utterances({ text, speaker, letter }: Line): SpeechSynthesisUtterance[] {
    // Some browsers load their voices late: the list is read again for each line.
    const voices = englishVoices();
    const own = voices.find(({ name }) => name === this.sound().voice) ?? null;
    const usual = own ?? voices.find((voice) => voice.default) ?? voices[0];
    const others = voices.filter((voice) => voice !== usual);
    if (letter) {
      const part = cast([...this.characters(), speaker], others.length ? others : [null], !others.length).get(speaker);
      return [this.#utterance(letter.lead, own), this.#utterance(text, part?.voice ?? own, part?.pitch, part?.rate)];
    }
    return [speaker ? this.#utterance(text, others[0] ?? own, LOWER) : this.#utterance(text, own)];
  }

  #utterance(text: string, voice: SpeechSynthesisVoice | null, pitch = 1, pace = 1): SpeechSynthesisUtterance {
    const { volume, rate } = this.sound();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = 'en';
    utterance.volume = volume;
    utterance.rate = rate * pace;
    utterance.pitch = pitch;
    utterance.voice = voice;
    return utterance;
  }
}

const allVoices = (): SpeechSynthesisVoice[] => (canSpeak() ? (speechSynthesis.getVoices?.() ?? []) : []);

/** Return the English voices of this browser. */
export const englishVoices = (): SpeechSynthesisVoice[] => allVoices().filter(({ lang }) => lang.startsWith('en'));

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
