/**
 * Speaks the lines of a match, one at a time and never far behind the match. What there is no time for is dropped, not
 * spoken faster; neither match nor page waits for speech. Pure, except for its speaker.
 */

import type { Line } from './lines';

export interface Speaker {
  /** Speak `line`, and call `done` when it is finished or cannot be spoken. */
  say(line: Line, done: () => void): void;
  /** Stop speaking at once, and do not call `done`. */
  hush(): void;
}

/** Maximum number of waiting lines; of more, the least important are dropped. */
export const WAITING = 2;

export class Voice {
  #waiting: Line[] = [];
  #speaking: Line | null = null;

  constructor(
    private readonly speaker: Speaker,
    /** Called with the line being spoken, and with null after it. */
    private readonly caption: (line: Line | null) => void,
  ) {}

  /** Speak `lines`, which are in order, after those that wait. */
  tell(lines: readonly Line[]): void {
    if (!lines.length) return;
    this.#waiting.push(...lines);
    if (!this.#speaking) this.#next();
    while (this.#waiting.length > WAITING) this.#drop();
  }

  /** Drop the letters that wait and were not written in `turn`. */
  turnTo(turn: string): void {
    this.#waiting = this.#waiting.filter(({ letter }) => !letter || letter.turn === turn);
  }

  /** Fall silent at once, and forget what waits. */
  hush(): void {
    this.#waiting = [];
    if (!this.#speaking) return;
    this.#speaking = null;
    this.speaker.hush();
    this.caption(null);
  }

  /** Drop the least important line that waits; of several, the oldest. */
  #drop(): void {
    const least = Math.min(...this.#waiting.map(({ importance }) => importance));
    this.#waiting.splice(
      this.#waiting.findIndex(({ importance }) => importance === least),
      1,
    );
  }

  #next(): void {
    // Before the first line of many is spoken, the least important ones are dropped.
    while (this.#waiting.length > WAITING + 1) this.#drop();
    const line = this.#waiting.shift() ?? null;
    this.#speaking = line;
    this.caption(line);
    if (!line) return;
    this.speaker.say(line, () => {
      if (this.#speaking === line) this.#next();
    });
  }
}
