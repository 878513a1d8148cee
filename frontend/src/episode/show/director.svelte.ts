/** The clock of the show: takes one step after another, and tells each one only after its picture has been seen. */

import { LIVE, DIALS, whole, type Dial, type Timing } from './pace';

export interface Stage<T extends Timing = Timing> {
  /** Return the next step, or null if there is none to take now. */
  next(): T | null;
  /** Show the picture of the next step. */
  take(step: T): void;
  /** Tell the score of the picture shown, then its words. */
  tell(what: 'score' | 'words'): void;
  /** Nothing is left to show. */
  idle(): void;
}

export class Director<T extends Timing = Timing> {
  /** Whether a replay runs. A live match runs by itself while it is followed. */
  playing = $state(false);
  dial = $state.raw<Dial>(LIVE);
  #timers: number[] = [];
  #busy = false;
  /** Ends the step that is being shown. */
  #end: () => void = () => undefined;

  constructor(private readonly stage: Stage<T>) {}

  /** Whether a step is being shown. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Take step after step until none is left. Has no effect while a step is being shown. */
  run(): void {
    if (this.#busy) return;
    const step = this.stage.next();
    if (!step) return this.stage.idle();
    this.once(step, () => this.run());
  }

  /** Take one step, and call `then` after its rest. */
  once(step: T, then: () => void = () => undefined): void {
    this.#busy = true;
    this.stage.take(step);
    const { picture, score } = step;
    this.#at(picture, () => this.stage.tell('score'));
    this.#at(picture + score, () => this.stage.tell('words'));
    this.#end = () => {
      this.#stop();
      then();
    };
    this.#at(whole(step), this.#end);
  }

  /** Go on after `delay` milliseconds, if the step that is being shown takes longer: another one waits for its place. */
  within(delay: number): void {
    if (!this.#busy) return;
    this.#at(delay, () => {
      this.stage.tell('words');
      this.#end();
    });
  }

  /** Stop, and tell all that has been shown. */
  cut(): void {
    const busy = this.#busy;
    this.playing = false;
    this.#stop();
    if (busy) this.stage.tell('words');
  }

  #stop(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#timers = [];
    this.#busy = false;
  }

  setDial(id: string): void {
    this.dial = DIALS.find((dial) => dial.id === id) ?? LIVE;
  }

  #at(delay: number, act: () => void): void {
    if (delay <= 0) return act();
    const timer = window.setTimeout(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
      act();
    }, delay);
    this.#timers.push(timer);
  }
}
