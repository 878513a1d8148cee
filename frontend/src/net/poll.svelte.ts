/** Asks the server for something, once or again and again, for as long as a component is on the page. */

import { ApiError } from './api';

export interface Polled<T> {
  /** The last answer, which stays while the next one is asked for; null before the first one, and if nothing is asked. */
  readonly value: T | null;
  /** Why the last request failed; null if it did not. */
  readonly trouble: ApiError | null;
  /** Ask now. */
  again(): void;
}

/**
 * Ask when a component begins and whenever the state that `ask` has read changes; it returns null if there is nothing to
 * ask for. With `every`, ask again so many milliseconds after each answer; in a hidden tab, when it is seen again.
 */
export function poll<T>(
  ask: (gone: AbortSignal) => Promise<T> | null,
  every: (value: T | null, trouble: ApiError | null) => number = () => Infinity,
): Polled<T> {
  let value = $state.raw<T | null>(null);
  let trouble = $state.raw<ApiError | null>(null);
  let asked = $state(0);

  $effect(() => {
    void asked;
    const gone = new AbortController();
    let timer = 0;
    let due = false;
    const answered = (): void => {
      if (gone.signal.aborted) return; // What `every` reads may belong to the component that is gone.
      const pause = every(value, trouble);
      if (pause === Infinity) return;
      timer = window.setTimeout(() => (document.hidden ? (due = true) : send()), pause);
    };
    const send = (): void => {
      due = false;
      const answer = ask(gone.signal);
      if (!answer) {
        [value, trouble] = [null, null];
        return;
      }
      answer.then(
        (next) => {
          if (!gone.signal.aborted) [value, trouble] = [next, null];
          answered();
        },
        (error: unknown) => {
          if (!gone.signal.aborted)
            trouble =
              error instanceof ApiError
                ? error
                : new ApiError(0, error instanceof Error ? error.message : String(error));
          answered();
        },
      );
    };
    const resume = (): void => {
      if (due && !document.hidden) send();
    };
    document.addEventListener('visibilitychange', resume);
    send();
    return () => {
      gone.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', resume);
    };
  });

  return {
    get value() {
      return value;
    },
    get trouble() {
      return trouble;
    },
    again: () => asked++,
  };
}

/** Wait `milliseconds`; never return if the component no longer wants the answer. */
export const pause = (milliseconds: number, gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => setTimeout(() => gone.aborted || resolve(), milliseconds));
