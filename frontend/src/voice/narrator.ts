/**
 * Decides how each line is spoken: in the server's clip, by the browser, or as a caption alone. A clip that is not ready
 * yet is waited for; a comment that the server has not spoken is shown and not spoken in another voice between its clips.
 * A letter has a voice of its own in any case.
 */

import type { VoiceReady } from '../types.gen';
import type { Line } from './lines';
import type { Speaker } from './voice';

/** Milliseconds to wait for a clip of a line that is due while the match goes on, and after its end, when none follows. */
export const PATIENCE = 3000;
export const LAST_PATIENCE = 30000;
const EVERY = 50;

export interface Conditions {
  /** Return whether sound may be made: the viewer wants it, and a gesture has allowed it. */
  audible(): boolean;
  /** Return the clip of a line, if it is known. */
  clip(seq: number): VoiceReady | undefined;
  /** Return whether the server makes clips now, so that the one of a line is on its way. */
  expects(seq: number): boolean;
  /** Return whether the match is over, so that nothing is late. */
  over(): boolean;
  /** Return whether the server spoke in clips when the line was published. */
  spokeAt(seq: number): boolean;
  /** Return whether the browser may speak. */
  browser(): boolean;
}

export interface Player {
  play(clip: VoiceReady, progress: (time: number) => void): Promise<void>;
  hush(): void;
}

export class Narrator implements Speaker {
  #turn = 0;
  #timer = 0;
  #speaker: Speaker | null = null;

  constructor(
    private readonly conditions: Conditions,
    private readonly player: Player,
    private readonly browser: Speaker,
    private readonly silent: Speaker,
    /** Called with the clip that is played, and its time. */
    private readonly progress: (clip: VoiceReady, time: number) => void,
  ) {}

  say(line: Line, done: () => void): void {
    const turn = ++this.#turn;
    const finish = (): void => {
      if (turn === this.#turn) done();
    };
    if (!this.conditions.audible()) this.#by(this.silent, line, finish);
    else void this.#speak(line, turn, finish);
  }

  hush(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.player.hush();
    this.#speaker?.hush();
    this.#speaker = null;
  }

  async #speak(line: Line, turn: number, finish: () => void): Promise<void> {
    // The server speaks no letter that not everybody may read.
    const clip = line.letter && !line.letter.public ? undefined : await this.#clip(line.seq, turn);
    if (turn !== this.#turn) return;
    if (clip) {
      try {
        await this.player.play(clip, (time) => turn === this.#turn && this.progress(clip, time));
        return finish();
      } catch {
        // The line of a clip that cannot be fetched or played, or breaks off, is spoken by the browser.
        if (turn !== this.#turn) return;
      }
    }
    const own = clip !== undefined || !!line.letter || !this.conditions.spokeAt(line.seq);
    const browser = own && this.conditions.browser();
    this.#by(browser ? this.browser : this.silent, line, finish);
  }

  #by(speaker: Speaker, line: Line, finish: () => void): void {
    this.#speaker = speaker;
    speaker.say(line, finish);
  }

  async #clip(seq: number, turn: number): Promise<VoiceReady | undefined> {
    const patience = (): number => (this.conditions.over() ? LAST_PATIENCE : PATIENCE);
    for (let waited = 0; waited < patience() && turn === this.#turn; waited += EVERY) {
      const clip = this.conditions.clip(seq);
      if (clip || !this.conditions.expects(seq)) return clip;
      await new Promise<void>((resolve) => (this.#timer = window.setTimeout(resolve, EVERY)));
    }
    return this.conditions.clip(seq);
  }
}
