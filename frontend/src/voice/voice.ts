/**
 * Reads a match aloud: one sentence at a time, and never far behind. What has grown stale is dropped, not hurried
 * through; the match and the page wait for nothing. Pure but for the speaker it is given.
 */

export interface Line {
  seq: number;
  text: string;
}

export interface Speaker {
  /** Say `text`, and call `done` when it was said or could not be. */
  say(text: string, done: () => void): void;
  /** Fall silent at once; `done` of what was being said is not called any more. */
  hush(): void;
}

/** Sentences that may wait while one is being said; older ones are dropped. */
export const WAITING = 2;

export class Voice {
  #waiting: Line[] = [];
  #speaking: Line | null = null;
  /** The last number that was said or dropped. */
  #heard = -1;

  constructor(
    private readonly speaker: Speaker,
    /** Told what is being said, and null when there is silence. */
    private readonly caption: (line: Line | null) => void,
  ) {}

  /** Begin after `seq`, saying nothing of what came before. */
  skipTo(seq: number): void {
    this.hush();
    this.#heard = seq;
  }

  /** Say `lines`, in order, those that are new: the latest of them where there are too many. */
  tell(lines: readonly Line[]): void {
    const fresh = lines.filter(({ seq, text }) => seq > this.#heard && text);
    if (!fresh.length) return;
    this.#heard = fresh.at(-1)?.seq ?? this.#heard;
    this.#waiting = [...this.#waiting, ...fresh].slice(-WAITING);
    if (!this.#speaking) this.#next();
  }

  hush(): void {
    this.#waiting = [];
    if (!this.#speaking) return;
    this.#speaking = null;
    this.speaker.hush();
    this.caption(null);
  }

  #next(): void {
    const line = this.#waiting.shift() ?? null;
    this.#speaking = line;
    this.caption(line);
    if (!line) return;
    this.speaker.say(line.text, () => {
      if (this.#speaking === line) this.#next();
    });
  }
}
