/** The clips of an episode and the kinds of its voice, from its events and from the server's list of clips. */

import { coreData } from '../episode/record/matchInfo';
import type { Store } from '../episode/record/store';
import type { VoiceChanged, VoiceReady } from '../types.gen';

/** What is known before the first event says so: the page's own voice. */
const BROWSER: VoiceChanged = { kind: 'browser', reason: '' };

export class ClipLog {
  /** The last change of the voice. */
  state = BROWSER;
  #clips = new Map<number, VoiceReady>();
  #changes: { seq: number; change: VoiceChanged }[] = [];
  #generation = -1;
  #taken = 0;

  /** Read the events of `store` that have arrived without a gap. */
  read(store: Store): void {
    if (store.generation !== this.#generation) {
      this.#generation = store.generation;
      this.#taken = 0;
      this.#clips.clear();
      this.#changes = [];
      this.state = BROWSER;
    }
    for (; this.#taken < store.filled; this.#taken++) {
      const slot = store.slots[this.#taken];
      if (!slot) continue;
      const ready = coreData(slot, 'VoiceReady');
      if (ready) this.#clips.set(ready.comment, ready);
      const change = coreData(slot, 'VoiceChanged');
      if (!change) continue;
      this.#changes.push({ seq: this.#taken, change });
      this.state = change;
    }
  }

  /** Add the clips that the server lists. */
  add(clips: readonly VoiceReady[]): void {
    for (const ready of clips) this.#clips.set(ready.comment, ready);
  }

  clip(seq: number): VoiceReady | undefined {
    return this.#clips.get(seq);
  }

  /** Return whether the server spoke in clips when event `seq` was published. */
  spokeAt(seq: number): boolean {
    return this.#changes.findLast((item) => item.seq <= seq)?.change.kind === 'clips';
  }
}
