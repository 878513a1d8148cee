/** The form of a seat's decision: what is chosen, and the stages that the server returns for it. */

import type { Action } from '../../boards/board';
import { calls } from '../../net/calls';
import type { AskChoices, SeatChoices } from '../../types.gen';
import type { SeatPlay } from './seatPlay.svelte';
import { keep, lacks, upTo, type Chosen, type Slot, type Value } from './slots';

export class SeatForm {
  /** The last response; null before the first. */
  answer = $state.raw<SeatChoices | null>(null);
  /** What the form shows. It may be ahead of the last response. */
  chosen = $state.raw<Chosen>({});
  /** Why the last request failed; '' if it did not. */
  failure = $state('');
  /** The request that is to be made next. */
  #next: AskChoices | null = null;
  /** The request that was made last, if it failed. */
  #failed: AskChoices | null = null;
  #asking: Promise<void> | null = null;
  /** The action that the form has made. */
  #own: Action | null = null;

  readonly #index: number | undefined;

  constructor(private readonly play: SeatPlay) {
    this.#index = play.view?.index;
  }

  get stages(): SeatChoices['stages'] {
    return this.answer?.stages ?? [];
  }

  /** Whether everything that must be answered is. */
  get whole(): boolean {
    return this.answer?.action != null && this.stages.flat().every((slot) => !lacks(slot, this.chosen[slot.name]));
  }

  /** Show a draft, which the board may have made; null shows the choices by default. */
  show(draft: Action | null): void {
    if (!this.answer || draft !== this.#own) void this.#ask({ action: draft });
  }

  change(slot: Slot, value: Value): void {
    this.chosen = { ...this.chosen, [slot.name]: value };
    if (!lacks(slot, value)) void this.#ask({ chosen: upTo(this.stages, this.chosen, slot.name) });
  }

  /** Submit the action once the server has answered the last change. The panel shows a refusal. */
  async send(): Promise<void> {
    await (this.#failed ? this.#ask(this.#failed) : this.#asking);
    if (this.whole && !this.failure && this.answer?.action)
      await this.play.submit(this.answer.action).catch(() => undefined);
  }

  /** Make a request after the one in progress; of several that wait, only the newest is made. */
  #ask(request: AskChoices): Promise<void> {
    this.#next = request;
    return (this.#asking ??= this.#work().finally(() => (this.#asking = null)));
  }

  async #work(): Promise<void> {
    for (let request = this.#next; request; request = this.#next) {
      this.#next = null;
      this.#failed = null;
      try {
        const answer = await this.#request(request);
        if (!this.#next) this.#take(answer, request);
      } catch (error) {
        this.#failed = request;
        this.failure = error instanceof Error ? error.message : String(error);
      }
    }
  }

  /** Return the response; after a change with what is chosen in later stages, if they are as they were. */
  async #request(request: AskChoices): Promise<SeatChoices> {
    const { id, seat } = this.play;
    const answer = await calls.choices(id, seat, request);
    if (request.action !== undefined) return answer;
    const chosen = keep(this.stages, answer, this.chosen);
    const same = Object.entries(chosen).every(([name, value]) => String(value) === String(answer.chosen[name]));
    return same ? answer : calls.choices(id, seat, { chosen });
  }

  /** Take a response, unless the turn has passed. */
  #take(answer: SeatChoices, { action }: AskChoices): void {
    if (this.play.view?.index !== this.#index) return;
    const slots = this.stages.flat();
    const open = slots.filter(({ name }) => name in this.chosen).filter((slot) => lacks(slot, this.chosen[slot.name]));
    const kept = action === undefined ? open.map(({ name }) => [name, this.chosen[name]]) : [];
    this.answer = answer;
    this.chosen = { ...answer.chosen, ...(Object.fromEntries(kept) as Chosen) };
    this.failure = '';
    if (action !== undefined) this.#own = action;
    else if (answer.action) this.play.change((this.#own = answer.action));
  }
}
