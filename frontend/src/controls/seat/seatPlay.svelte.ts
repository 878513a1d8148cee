/** A seat that is played on this page: the decision that it is asked for, the choice so far, and sending it. */

import { ApiError } from '../../net/api';
import type { Watch } from '../../episode/watch.svelte';
import type { ActionRequested, Event, SeatAction, SeatView } from '../../types.gen';
import { calls } from '../../net/calls';
import { Answer, type Decision } from '../../seat/answer.svelte';
import type { Letter } from '../../seat/letters';
import type { Action } from '../../seat/slots';
import { coreData } from '../../episode/record/matchInfo';

/** Milliseconds after which a request that failed is made again. */
const RETRY = 1000;

/** Milliseconds in which events that end a turn and begin the next one arrive together. */
const TOGETHER = 100;

/** Milliseconds within which the stream usually tells what became of a decision that was accepted. */
const OUTCOME = 200;

/** Milliseconds in which the events of one decision arrive. */
const ONE_BATCH = 20;

/** Seconds for which a request waits on the server, where no event announces that the seat is asked again. */
const WAIT = 50;

/** Milliseconds between a change and the request that saves it. */
const SAVE_DELAY = 250;

/** Other events after which the seat may be asked for a decision, or no longer is. */
const OTHERS = new Set(['NegotiationHeld', 'ControlChanged', 'EpisodeEnded']);

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class SeatPlay {
  /** The seat's view; null before the first response, and if the seat is not played externally. */
  view = $state.raw<SeatView | null>(null);
  /** The answer to the decision that the seat is asked for. */
  answer = $state.raw<Answer | null>(null);
  draft = $state.raw<Action | null>(null);
  /** The letters of this round of press, which are sent together. */
  letters = $state.raw<readonly Letter[]>([]);
  busy = $state(false);
  /** The error message of the last action sent; '' if it was accepted. */
  refusal = $state('');
  /** Whether the last change is saved on the server. */
  saved = $state(true);
  /** Why the seat cannot be played here; '' if it can. */
  barred = $state('');
  #timer = 0;
  #gone = new AbortController();
  #asking = false;
  /** Whether the decision that `view` is about may have been made. */
  #stale = false;
  /** The last request to the seat that the stream has announced since the seat's state was requested. */
  #request: ActionRequested | null = null;
  /** How many decisions were accepted: an answer about the seat from before the last one is outdated. */
  #decided = 0;
  #saving = 0;
  /** Called when the stream has told what became of the decision that was sent. */
  #heard: () => void = () => undefined;
  /** The requests that save the draft, while they go on, and the draft of the present one. */
  #sent: Promise<void> | null = null;
  #underway: Action | null = null;
  readonly #unheard: () => void;

  constructor(
    private readonly watch: Watch,
    readonly seat: string,
  ) {
    this.#unheard = watch.on({ event: (event) => this.#hear(event), live: this.look });
  }

  get id(): string {
    return this.watch.id;
  }

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
    addEventListener('pagehide', this.#leave);
    this.look();
  }

  close(): void {
    this.#leave();
    clearTimeout(this.#saving);
    this.#gone.abort();
    this.#unheard();
    removeEventListener('pagehide', this.#leave);
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.look);
  }

  /** Request the seat's state: the page was opened, seen or connected again, or the match has changed. */
  look = (): void => {
    if (this.busy) this.#stale = true;
    else if (this.#over) this.#show(null);
    else if (!this.#asking && !this.#gone.signal.aborted && !document.hidden) void this.#look();
  };

  /** Whether the match has ended: it has no decisions left, and no view of a seat. */
  get #over(): boolean {
    const status = this.watch.head?.status ?? 'live';
    return status !== 'live' && status !== 'queued';
  }

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
    if (this.#unsaved) this.#sent ??= this.#store();
  };

  /** Save the draft, and what it becomes meanwhile: one request after another, as two may arrive in the other order. */
  async #store(): Promise<void> {
    for (let draft = this.#unsaved; draft; draft = this.#unsaved) {
      this.#underway = draft;
      const saved = await this.#put(draft);
      if (!saved) {
        this.#saving = window.setTimeout(this.#save, RETRY);
        break;
      }
      if (this.draft === draft) this.saved = true;
    }
    this.#underway = this.#sent = null;
  }

  /** The draft of the decision that is asked for, if it is not saved. */
  get #unsaved(): Action | null {
    const ours = this.view?.asked === 'choose' && !this.#gone.signal.aborted;
    return ours && !this.saved ? this.draft : null;
  }

  /** Save `draft`. Return whether nothing is left to do: if the turn has passed, nothing is. */
  async #put(draft: Action): Promise<boolean> {
    const index = this.view?.index ?? -1;
    try {
      await calls.saveDraft(this.id, this.seat, { index, action: draft });
      return true;
    } catch (error) {
      return (error instanceof ApiError && error.status !== 0 && error.status < 500) || this.view?.index !== index;
    }
  }

  /** Save the draft of a page that is left: nothing can wait for the request in progress. */
  #leave = (): void => {
    const draft = this.#unsaved;
    if (draft && draft !== this.#underway) void this.#put(draft);
  };

  /**
   * Send an action. Rejects with an ApiError that has the rules' message; the draft stays so that it can be corrected.
   */
  submit = (action: Action): Promise<void> => this.#send({ action });

  /** Add a letter to those of this round; outside the rounds it is sent at once, and `refusal` tells if it fails. */
  write = (letter: Letter): void => {
    if (this.asked === 'negotiate') this.letters = [...this.letters, letter];
    else this.submit({ message: letter }).catch(() => undefined);
  };

  /** Send the letters of a round of press; none means silence. */
  say = (letters: readonly Letter[]): Promise<void> =>
    this.#send({ messages: letters.map((message) => ({ message })) });

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
      const outcome = new Promise<void>((resolve) => (this.#heard = resolve));
      await calls.act(this.id, this.seat, { ...decision, number });
      this.#decided++;
      // The decision was accepted. The same seat is often asked again at once; then nothing is shown in between.
      [this.#stale, this.#request] = [false, null];
      await Promise.race([outcome, wait(OUTCOME)]);
      await wait(ONE_BATCH);
      const next = this.#over ? null : await calls.seat(this.id, this.seat).catch(() => null);
      this.#show(next ?? (this.view && { ...this.view, asked: null, deadline: null }));
      this.draft = this.view?.draft ?? null;
      this.busy = false;
      this.#goOn();
    } catch (error) {
      this.refusal = error instanceof ApiError ? error.message : String(error);
      this.busy = false;
      this.look();
      throw error;
    }
  }

  /** Handle an event of the stream: the seat's state is requested if it is asked now, or may be asked next. */
  #hear(event: Event): void {
    const request = coreData(event, 'ActionRequested');
    const chosen = coreData(event, 'ActionChosen')?.seat === this.seat;
    const began = coreData(event, 'TurnStarted')?.to_act.includes(this.seat);
    if (request?.seat === this.seat) {
      this.#heard();
      this.#request = request;
      if (!this.#tells(request)) this.#soon();
      else if (!this.busy) this.#retime(request);
    } else if (chosen || began || OTHERS.has(event.type)) {
      this.#heard();
      this.#stale = true;
      this.#soon();
    }
  }

  /** Return whether the view is about the decision that `request` asks for. */
  #tells({ kind, index }: ActionRequested): boolean {
    return !this.#stale && this.view?.asked === kind && this.view.index === index;
  }

  /** Take the clock of the decision, and whether it is ready, from the event that announces them. */
  #retime({ deadline = null, left = null, ready }: ActionRequested): void {
    if (this.view) this.view = { ...this.view, deadline, left, ready: ready && this.saved };
  }

  #soon(milliseconds = TOGETHER): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(this.look, milliseconds);
  }

  async #look(wait = 0): Promise<void> {
    clearTimeout(this.#timer);
    this.#asking = true;
    [this.#stale, this.#request] = [false, null];
    const decided = this.#decided;
    let failed = false;
    try {
      const view = await calls.seat(this.id, this.seat, wait, this.#gone.signal);
      if (decided === this.#decided) this.#take(view);
      this.barred = '';
    } catch (error) {
      failed = !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
      if (error instanceof ApiError && error.status !== 0) {
        this.#show(null);
        this.barred = error.message;
      }
    }
    this.#asking = false;
    if (failed) this.#soon(RETRY);
    else this.#goOn();
  }

  /** Ask again if the match has gone on since the last request. */
  #goOn(): void {
    clearTimeout(this.#timer);
    if (this.#gone.signal.aborted) return;
    if (this.#stale || (this.#request && !this.#tells(this.#request))) this.#soon();
    else if (this.#awaited) this.#timer = window.setTimeout(() => document.hidden || this.#look(WAIT), TOGETHER);
  }

  /** Whether the match waits for this seat in this turn and has not asked it yet: not every request is announced. */
  get #awaited(): boolean {
    const { head } = this.watch;
    return this.view !== null && this.view.asked == null && head?.status === 'live' && head.toAct.includes(this.seat);
  }

  /** A response that arrives while an action is sent may be outdated; the next one is used. */
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
    this.#show(this.saved ? view : { ...view, ready: false });
  }

  /** Show a view; a decision that is asked for by it, and was not before, gets an answer of its own. */
  #show(view: SeatView | null): void {
    if (view?.asked !== 'negotiate' || view.number !== this.view?.number) this.letters = [];
    this.view = view;
    if (view?.asked !== 'choose') this.answer = null;
    else if (this.answer?.number !== view.number) this.answer = new Answer(this.#decision(view));
  }

  #decision({ number, draft }: SeatView): Decision {
    const { id, seat, change, submit, look: passed } = this;
    return { number, draft, ask: (request) => calls.choices(id, seat, request), change, submit, passed };
  }
}
