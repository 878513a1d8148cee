/** The form of a seat's decision: what is chosen, and the stages that the server returns for it. */

import type { Action } from '../../boards/board';
import { calls } from '../../net/calls';
import type { AskChoices, SeatChoices } from '../../types.gen';
import type { SeatPlay } from './seatPlay.svelte';
import { keep, lacks, upTo, type Chosen, type Slot, type Value } from './slots';

export class SeatForm {
  /** The last response. */
  answer = $state.raw<SeatChoices>({ number: -1, stages: [], chosen: {}, action: null });
  /** What the form shows. It may be ahead of the last response. */
  chosen = $state.raw<Chosen>({});
  /** Why the last request failed; '' if it did not. */
  failure = $state('');
  /** The request that is to be made next, and the one made last. */
  #next: AskChoices | null = null;
  #last: AskChoices = {};
  #asking: Promise<void> | null = null;
  /** The draft that the form shows; undefined before the first response. */
  #own?: Action | null;

  readonly #number: number | undefined;

  constructor(private readonly play: SeatPlay) {
    this.#number = play.view?.number;
  }

  /** Whether everything that must be answered is. */
  get whole(): boolean {
    return (
      this.answer.action != null && this.answer.stages.flat().every((slot) => !lacks(slot, this.chosen[slot.name]))
    );
  }

  /** Show a draft, which the board may have made; null shows the choices by default. */
  show(draft: Action | null): void {
    if (draft !== this.#own) void this.#ask({ action: draft });
  }

  change(slot: Slot, value: Value): void {
    this.chosen = { ...this.chosen, [slot.name]: value };
    if (!lacks(slot, value)) void this.#ask({ chosen: upTo(this.answer.stages, this.chosen, slot.name) });
  }

  /** Make the request that failed again. */
  retry = (): Promise<void> => this.#ask(this.#last);

  /** Submit the action once the server has answered the last change. The panel shows a refusal. */
  async send(): Promise<void> {
    await this.#asking;
    const action = this.failure || !this.whole ? null : this.answer.action;
    if (action) await this.play.submit(action).catch(() => undefined);
  }

  /** Make a request after the one in progress; of several that wait, only the newest is made. */
  #ask(request: AskChoices): Promise<void> {
    this.#next = request;
    return (this.#asking ??= this.#work().finally(() => (this.#asking = null)));
  }

  async #work(): Promise<void> {
    for (let request = this.#next; request; request = this.#next) {
      [this.#last, this.#next] = [request, null];
      try {
        const answer = await this.#request(request);
        if (!this.#next) this.#take(answer, request);
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
      }
    }
  }

  /** Return the response; after a change with what is chosen in later stages, if they are as they were. */
  async #request(request: AskChoices): Promise<SeatChoices> {
    const { id, seat } = this.play;
    const answer = await calls.choices(id, seat, request);
    if (request.action !== undefined) return answer;
    const chosen = keep(this.answer.stages, answer, this.chosen);
    const same = Object.entries(chosen).every(([name, value]) => String(value) === String(answer.chosen[name]));
    return same ? answer : calls.choices(id, seat, { chosen });
  }

  /** Take a response, unless the match has gone on, for the server or for the page. */
  #take(answer: SeatChoices, { action }: AskChoices): void {
    if (answer.number !== this.#number || this.play.view?.number !== this.#number) return;
    const slots = this.answer.stages.flat();
    const open = slots.filter(({ name }) => name in this.chosen).filter((slot) => lacks(slot, this.chosen[slot.name]));
    const kept = action === undefined ? open.map(({ name }) => [name, this.chosen[name]]) : [];
    this.answer = answer;
    this.chosen = { ...answer.chosen, ...(Object.fromEntries(kept) as Chosen) };
    this.failure = '';
    if (action !== undefined) this.#own = action;
    else if (answer.action) this.play.change((this.#own = answer.action));
  }
}
