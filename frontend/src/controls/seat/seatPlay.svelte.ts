/** A seat played at this page: what it is asked, the choice in the making, and sending it. */

import { ApiError } from '../../net/api';
import type { Action } from '../../boards/board';
import type { SeatView } from '../../types.gen';
import { calls } from '../../net/calls';

/** Milliseconds between looks at what the seat is asked: no event says that a person is waited for. */
const EVERY = 1000;

export class SeatPlay {
  /** What the seat knows and is asked; null before the first answer and where it is not played from outside. */
  view = $state.raw<SeatView | null>(null);
  draft = $state.raw<Action | null>(null);
  busy = $state(false);
  /** What the server or the rules said of the last thing sent; '' where they took it. */
  refusal = $state('');
  /** Why the seat cannot be played from here; '' where it can. */
  barred = $state('');
  #timer = 0;
  #closed = false;
  #asking = false;

  constructor(
    readonly id: string,
    readonly seat: string,
  ) {}

  get asked(): SeatView['asked'] {
    return this.view?.asked ?? null;
  }

  open(): void {
    document.addEventListener('visibilitychange', this.look);
    this.look();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.look);
  }

  /** Ask now what is asked of the seat: the match has moved on. */
  look = (): void => {
    if (!this.#asking && !this.#closed && !document.hidden) void this.#look();
  };

  change = (draft: Action): void => {
    this.draft = draft;
    this.refusal = '';
  };

  /** Send an action. Rejects with an ApiError in the rules' own words; the draft then stays to be mended. */
  submit = (action: Action): Promise<void> => this.#send(() => calls.act(this.id, this.seat, { action }));

  /** Answer a round of press; no message is silence. */
  say = (messages: Record<string, unknown>[]): Promise<void> =>
    this.#send(() => calls.act(this.id, this.seat, { messages }));

  async #send(call: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.refusal = '';
    try {
      await call();
      // What was asked is answered. Often the same seat is asked on at once: then nothing in between is shown.
      const next = await calls.seat(this.id, this.seat).catch(() => null);
      this.view = next ?? (this.view && { ...this.view, asked: null, deadline: null });
      this.draft = null;
    } catch (error) {
      this.refusal = error instanceof ApiError ? error.message : String(error);
      throw error;
    } finally {
      this.busy = false;
      this.look();
    }
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking = true;
    try {
      this.#take(await calls.seat(this.id, this.seat));
      this.barred = '';
    } catch (error) {
      if (error instanceof ApiError && error.status !== 0) {
        this.view = null;
        this.barred = error.message;
      }
    }
    this.#asking = false;
    if (!this.#closed) this.#timer = window.setTimeout(this.look, EVERY);
  }

  /** An answer that came while something was sent may be older than that: the next one counts. */
  #take(view: SeatView): void {
    if (this.busy) return;
    const before = this.view;
    if (before && before.asked === view.asked && before.index === view.index) {
      if (before.deadline === view.deadline && before.text === view.text) return;
    } else {
      this.draft = null;
      this.refusal = '';
    }
    this.view = view;
  }
}
