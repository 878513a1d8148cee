/** A seat that is played on this page: the decision that it is asked for, the choice so far, and sending it. */

import { ApiError } from '../../net/api';
import type { Action } from '../../boards/board';
import type { SeatAction, SeatView } from '../../types.gen';
import { calls } from '../../net/calls';

/** Milliseconds between requests for the seat's state, because no event announces that a person is asked. */
const EVERY = 1000;

/** Milliseconds between a change and the request that saves it. */
const SAVE_DELAY = 250;

export class SeatPlay {
  /** The seat's view; null before the first response, and if the seat is not played externally. */
  view = $state.raw<SeatView | null>(null);
  draft = $state.raw<Action | null>(null);
  busy = $state(false);
  /** The error message of the last action sent; '' if it was accepted. */
  refusal = $state('');
  /** Whether the last change is saved on the server. */
  saved = $state(true);
  /** Why the seat cannot be played here; '' if it can. */
  barred = $state('');
  #timer = 0;
  #closed = false;
  #asking = false;
  #saving = 0;
  #sent: Promise<unknown> = Promise.resolve();

  constructor(
    readonly id: string,
    readonly seat: string,
  ) {}

  get asked(): SeatView['asked'] {
    return this.view?.asked ?? null;
  }

  /** How the match is scored, if the game says it; '' otherwise. */
  get scoring(): string {
    const observation = this.view?.observation;
    const known = typeof observation === 'object' && observation !== null && 'scoring' in observation;
    return known && typeof observation.scoring === 'string' ? observation.scoring : '';
  }

  open(): void {
    document.addEventListener('visibilitychange', this.look);
    addEventListener('pagehide', this.#save);
    this.look();
  }

  close(): void {
    this.#save();
    this.#closed = true;
    removeEventListener('pagehide', this.#save);
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.look);
  }

  /** Request the seat's state now, after a change of the match. */
  look = (): void => {
    if (!this.#asking && !this.#closed && !document.hidden) void this.#look();
  };

  /** Change the choice. It is saved on the server after a moment; a submitted decision is no longer ready. */
  change = (draft: Action): void => {
    this.draft = draft;
    this.refusal = '';
    this.saved = false;
    if (this.view?.ready) this.view = { ...this.view, ready: false };
    clearTimeout(this.#saving);
    this.#saving = window.setTimeout(this.#save, SAVE_DELAY);
  };

  #save = (): void => {
    clearTimeout(this.#saving);
    const { view, draft } = this;
    if (this.saved || !view || !draft || view.asked !== 'choose' || this.#closed) return;
    this.saved = true;
    const saving = calls.saveDraft(this.id, this.seat, { index: view.index, action: draft });
    this.#sent = saving.catch((error: unknown) => {
      // If the turn has passed there is nothing to save. After any other failure it is tried again.
      if (error instanceof ApiError && error.status !== 0 && error.status < 500) return;
      if (this.view?.index !== view.index || this.draft !== draft) return;
      this.saved = false;
      this.#saving = window.setTimeout(this.#save, EVERY);
    });
  };

  /**
   * Send an action. Rejects with an ApiError that has the rules' message; the draft stays so that it can be corrected.
   */
  submit = (action: Action): Promise<void> => this.#send({ action });

  /** Send the messages of a round of press; an empty list means silence. */
  say = (messages: Record<string, unknown>[]): Promise<void> => this.#send({ messages });

  async #send(decision: SeatAction): Promise<void> {
    const number = this.view?.number;
    if (this.busy || number === undefined) return;
    this.busy = true;
    this.refusal = '';
    this.#save();
    try {
      await this.#sent;
      clearTimeout(this.#saving);
      this.saved = true;
      await calls.act(this.id, this.seat, { ...decision, number });
      // The decision was accepted. The same seat is often asked again at once; then nothing is shown in between.
      const next = await calls.seat(this.id, this.seat).catch(() => null);
      this.view = next ?? (this.view && { ...this.view, asked: null, deadline: null });
      this.draft = this.view?.draft ?? null;
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

  /** A response that arrived while an action was sent may be outdated; the next one is used. */
  #take(view: SeatView): void {
    if (this.busy) return;
    const before = this.view;
    if (before && before.asked === view.asked && before.index === view.index) {
      const clock = before.deadline === view.deadline && before.left === view.left;
      const same = clock && before.number === view.number && before.ready === view.ready;
      if (same && before.text === view.text) return;
    } else {
      this.draft = view.draft ?? null;
      this.saved = true;
      this.refusal = '';
    }
    this.view = this.saved ? view : { ...view, ready: false };
  }
}
