/** The browser's speech synthesis as a `Speaker`. */

import type { Speaker } from './voice';

export const canSpeak = (): boolean => 'speechSynthesis' in window;

/** Some engines never report the end of an utterance; after this time per character it counts as finished. */
const LONGEST_PER_CHARACTER = 200;
const LEAST = 4000;

export class BrowserSpeaker implements Speaker {
  #timer = 0;

  say(text: string, done: () => void): void {
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = 'en';
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
      LEAST + text.length * LONGEST_PER_CHARACTER,
    );
    speechSynthesis.speak(utterance);
  }

  hush(): void {
    clearTimeout(this.#timer);
    speechSynthesis.cancel();
  }
}
