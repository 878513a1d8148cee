/** The clock of playback: takes one step after another until the end, or until the viewer stops it. */

import { SPEEDS, type Speed } from './playback';

export interface Steps {
  /** Return the milliseconds until the next step is due. */
  due(speed: Speed): number;
  /** Take the step; return false if there is none. */
  take(): boolean;
}

export class PlaybackClock {
  playing = $state(false);
  speed = $state.raw(SPEEDS[0]);
  #timer = 0;

  constructor(private readonly steps: Steps) {}

  play(): void {
    this.playing = true;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      if (this.steps.take()) this.play();
      else this.playing = false;
    }, this.steps.due(this.speed));
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  setSpeed(id: string): void {
    this.speed = SPEEDS.find((speed) => speed.id === id) ?? SPEEDS[0];
    if (this.playing) this.play();
  }
}
