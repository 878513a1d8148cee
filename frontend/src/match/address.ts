/** The address of the match page: which moment, range or turn it names, and the moment that is shown. */

import type { View, Watch } from '../episode/watch.svelte';
import { router } from '../net/router.svelte';

/** Milliseconds for which a moment is shown before the address contains it. */
const DELAY = 300;

export interface Place {
  /** The number shown first; null for the live end. */
  readonly seq: number | null;
  /** The last number of the range that begins at `seq`. */
  readonly last: number | null;
  /** A turn, such as the step of a run, whose end is shown as soon as it is known. */
  readonly turn: string | null;
}

/** Return the place that the parameters of an address name. */
export function read(search: URLSearchParams): Place {
  const number = (parameter: string): number | null => {
    const seq = Number(search.get(parameter) ?? NaN);
    return Number.isInteger(seq) && seq >= 0 ? seq : null;
  };
  return { seq: number('seq'), last: number('to'), turn: search.get('turn') };
}

/** Return the parameters of the address of `view`; null removes one. */
export function write({ following, seq }: Pick<View, 'following' | 'seq'>): Record<string, string | null> {
  return following ? { seq: null, to: null } : { seq: String(seq), to: null, turn: null };
}

/** Show the turn of `place` in `watch`, and keep the address that of the moment shown, until the function is called. */
export function keep(watch: Watch, { turn }: Place): () => void {
  let awaited = turn;
  let described = '';
  let timer = 0;
  const stop = watch.on({
    view: (view) => {
      const tick = awaited !== null && view.landmarks.ticks.findLast((candidate) => candidate.turn === awaited);
      if (tick) {
        awaited = null;
        watch.show.look(tick.seq);
        return;
      }
      const parameters = write(view);
      if (view.range || JSON.stringify(parameters) === described) return;
      described = JSON.stringify(parameters);
      clearTimeout(timer);
      timer = window.setTimeout(() => router.describe(parameters), DELAY);
    },
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}
