/** A value derived from all events of a store, in order from the first. The parts of a batch are taken one by one. */

import { parts } from '../show/parts';
import type { Store } from './store';
import type { Event } from '../../types.gen';

export class Fold<S> {
  #generation = -1;
  #taken = 0;
  #state: S;

  constructor(
    private readonly start: S,
    private readonly step: (state: S, event: Event) => S,
  ) {
    this.#state = start;
  }

  /** Return the state after all events that have arrived without a gap. */
  at(store: Store): S {
    if (store.generation !== this.#generation) {
      this.#generation = store.generation;
      this.#taken = 0;
      this.#state = this.start;
    }
    for (; this.#taken < store.filled; this.#taken++) {
      const slot = store.slots[this.#taken];
      for (const part of slot ? parts(slot) : []) this.#state = this.step(this.#state, part);
    }
    return this.#state;
  }
}
