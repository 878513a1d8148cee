/**
 * Reads a match aloud, one sentence at a time and never far behind the match. Old sentences are dropped, not spoken
 * faster; neither match nor page waits for speech. Pure, except for its speaker.
 */

export interface Line {
  seq: number;
  text: string;
}

export interface Speaker {
  /** Speak `text`, and call `done` when it is finished or has failed. */
  say(text: string, done: () => void): void;
  /** Stop speaking at once, and do not call `done`. */
  hush(): void;
}

/** Maximum number of waiting sentences; older ones are dropped. */
export const WAITING = 2;

export class Voice {
  #waiting: Line[] = [];
  #speaking: Line | null = null;
  /** The last number that was spoken or dropped. */
  #heard = -1;

  constructor(
    private readonly speaker: Speaker,
    /** Called with the sentence being spoken, and with null after it. */
    private readonly caption: (line: Line | null) => void,
  ) {}

  /** Start after `seq`, without the sentences before it. */
  skipTo(seq: number): void {
    this.hush();
    this.#heard = seq;
  }

  /** Speak the new ones of `lines` in order; if there are too many, only the latest. */
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
