/** A person's answer to one decision: the stages of slots that the server states, what is chosen in them, sending it. */

import { ApiError } from '../net/api';
import type { AskChoices, SeatChoices, SeatView } from '../types.gen';
import { back, drag, EMPTY_HAND, ofKind, placesOf, press, refusedWord, take, undo } from './places';
import type { Hand, Meaning, Plan, Slip } from './places';
import {
  complete,
  lacks,
  same,
  sameStages,
  without,
  type Action,
  type Chosen,
  type Slot,
  type Stage,
  type Value,
} from './slots';

/** The decision that an answer is for. */
export interface Decision extends Pick<SeatView, 'number' | 'draft'> {
  /** Return the stages along what is chosen. */
  ask(request: AskChoices): Promise<SeatChoices>;
  /** Keep the action of the whole answer as a draft. */
  change(action: Action): void;
  submit(action: Action): Promise<void>;
  /** Called when the server already asks for another decision. */
  passed(): void;
}

export class Answer {
  stages = $state.raw<readonly Stage[]>([]);
  /** What is chosen. It may be ahead of the stages: see `open`. */
  chosen = $state.raw<Chosen>({});
  /** How many of the first stages may be answered: those after them depend on what the server is asked about. */
  open = $state(0);
  /** Why the last request failed; '' if it did not. */
  failure = $state('');
  /** The choice in progress on the board. */
  hand = $state.raw<Hand>(EMPTY_HAND);
  sending = $state(false);
  /** Why the rules refused the action that was sent last, and the word that is at fault, if there is one. */
  refused = $state.raw<{ readonly word: string; readonly reason: string } | null>(null);
  #action = $state.raw<Action | null>(null);
  /** The clicks and drags before the first stages arrived. */
  #early: (() => void)[] = [];
  /** Values for slots of stages that are not known yet. */
  #further: Chosen = {};
  #due = true;
  /** Whether a response is awaited. */
  #awaited = $state(false);
  #asking: Promise<void> | null = null;

  constructor(private readonly decision: Decision) {
    void this.#ask();
  }

  /** The number of the decision. */
  get number(): number {
    return this.decision.number;
  }

  get slots(): readonly Slot[] {
    return this.stages.flat();
  }

  /** The slots that may be answered now. */
  get #free(): readonly Slot[] {
    return this.stages.slice(0, this.open).flat();
  }

  get plan(): Plan {
    return { hand: this.hand, chosen: this.chosen };
  }

  /** The places of the board in which a click has a meaning. */
  get places(): readonly string[] {
    return placesOf(this.#free, this.plan);
  }

  /** Whether everything that must be answered is, as far as the stages are known: then it may be sent. */
  get whole(): boolean {
    const known = this.open > 0 && this.open === this.stages.length && (this.#action !== null || this.#awaited);
    return known && this.slots.every((slot) => !lacks(slot, this.chosen[slot.name]));
  }

  /** Whether a change has not become a draft yet: the server is asked about it. */
  get pending(): boolean {
    return this.#awaited && this.stages.length > 0;
  }

  /** Choose a value of a slot. It is ignored if the slot depends on an answer that is awaited. */
  pick(name: string, value: Value): void {
    if (this.#free.some((slot) => slot.name === name)) this.give({ [name]: value });
  }

  /** Choose values of several slots, also of those that follow from them and are not known yet. */
  give(values: Chosen): void {
    const first = this.stages.findIndex((stage) => stage.some(({ name }) => name in values));
    if (first < 0) return;
    this.chosen = { ...this.chosen, ...values };
    this.refused = null;
    const known = this.stages.slice(0, first + 1).flat();
    this.#further = without(values, known);
    if (known.some((slot) => slot.name in values && lacks(slot, this.chosen[slot.name]))) return;
    if (first < this.stages.length - 1) this.open = Math.min(this.open, first + 1);
    this.#action = null;
    void this.#ask();
  }

  /**
   * Click a place of the board, or none: take up a slot, choose the option of the place, or ask which one. A click before
   * the first stages are known counts when they are.
   */
  at = (place: string | null): void => {
    if (this.stages.length) this.#to(press(this.#free, this.plan, place));
    else this.#early.push(() => this.at(place));
  };

  /** Drag from the place of a slot to that of an option; before the first stages are known, as for a click. */
  drag = (from: string, to: string): void => {
    if (this.stages.length) this.#to(drag(this.#free, this.plan, from, to));
    else this.#early.push(() => this.drag(from, to));
  };

  /** Choose one of the meanings of the last click. */
  choose(meaning: Meaning): void {
    if (this.hand.open) this.#to(take(this.#free, this.plan, meaning, this.hand.open.at));
  }

  /** Let the next click mean options of one kind alone, or choose the one that needs no click. */
  ofKind = (kind: string): void => this.#to(ofKind(this.#free, this.plan, kind));

  /** Undo the last step of the choice in progress. */
  back = (): void => this.#to(back(this.plan));

  /** Take up the slot of an entry, or choose in its place, whatever is in hand. */
  takeUp = ({ slot: name, at }: Slip): void => {
    const picks = this.#free.some((slot) => slot.name === name && slot.kind === 'pick');
    if (picks) this.hand = { ...EMPTY_HAND, slot: this.hand.slot === name ? '' : name };
    else this.#to(press(this.#free, { ...this.plan, hand: EMPTY_HAND }, at));
  };

  /** Choose nothing, or the default, where the entry is. */
  undo = (slip: Slip): void => this.#to({ hand: EMPTY_HAND, chosen: undo(this.#free, this.chosen, slip) });

  /** End the choice in progress: the board on which it is made is gone. */
  letGo = (): void => void (this.hand = EMPTY_HAND);

  #to({ hand, chosen }: Plan): void {
    this.hand = hand;
    const changes = Object.entries(chosen).filter(([name, value]) => !same(value, this.chosen[name]));
    if (changes.length) this.give(Object.fromEntries(changes));
  }

  /** Make the request that failed again. */
  retry = (): Promise<void> => this.#ask();

  /** Submit the action once the server has answered the last change. Return whether it was accepted. */
  async send(): Promise<boolean> {
    if (this.sending) return false;
    this.sending = true;
    this.refused = null;
    await this.#asking;
    const action = this.failure || !this.whole ? null : this.#action;
    try {
      if (action) await this.decision.submit(action);
    } catch (error) {
      this.refused = refusal(action ?? {}, error);
    }
    this.sending = false;
    return action !== null && this.refused === null;
  }

  /** Ask for the stages; after the request in progress, if there is one. */
  #ask(): Promise<void> {
    this.#due = this.#awaited = true;
    return (this.#asking ??= this.#work());
  }

  async #work(): Promise<void> {
    while (this.#due) {
      this.#due = false;
      const asked = this.open;
      const first = this.stages.length === 0;
      const known = complete(this.stages.slice(0, asked), this.chosen);
      const { number, draft = null } = this.decision;
      const request = first ? { number, action: draft } : { number, chosen: { ...known, ...this.#further } };
      try {
        const answer = await this.decision.ask(request);
        this.failure = '';
        if (answer.number !== number) this.decision.passed();
        else if (!this.#due) this.#take(answer, asked, first && draft !== null);
        if (!first && !this.#due && this.#action) this.decision.change(this.#action);
        if (this.stages.length) this.#early.splice(0).forEach((act) => act());
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
      }
    }
    // In the same step as the last look at `#due`: a change that comes after it begins anew.
    this.#asking = null;
    this.#awaited = false;
  }

  /**
   * Take a response to a request with the values of the `asked` first stages. What is chosen in later ones stays if they
   * are as they were; the server is then asked about it. A set begins empty, unless the draft has it.
   */
  #take(answer: SeatChoices, asked: number, drafted: boolean): void {
    const kept = sameStages(this.stages, answer.stages).slice(asked);
    const own = [...answer.stages.slice(0, asked), ...kept].flat().filter(({ name }) => name in this.chosen);
    const given = [...own.map(({ name }) => name), ...Object.keys(this.#further)];
    const unset = drafted
      ? []
      : answer.stages.flat().filter(({ kind, name }) => kind === 'many' && !given.includes(name));
    const mine = own.map(({ name }) => [name, this.chosen[name]]);
    this.chosen = { ...without(answer.chosen, unset), ...(Object.fromEntries(mine) as Chosen) };
    this.stages = answer.stages;
    this.open = answer.stages.length;
    this.#further = {};
    this.#due = Object.entries(complete(kept, this.chosen)).some(([name, value]) => !same(value, answer.chosen[name]));
    this.#action = this.#due ? null : (answer.action ?? null);
  }
}

/** Return the reason of a refusal, without the field that it may begin with, and the word that the field is about. */
function refusal(action: Action, error: unknown): { word: string; reason: string } {
  const reason = error instanceof Error ? error.message : String(error);
  const field = error instanceof ApiError ? error.field : null;
  const word = refusedWord(action, field);
  return { word, reason: word && reason.startsWith(`${field}: `) ? reason.slice(`${field}: `.length) : reason };
}
