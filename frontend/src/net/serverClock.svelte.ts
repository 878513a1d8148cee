/** The server's time for clocks on the page: one timer, which runs while something on the page shows it. */

import { createSubscriber } from 'svelte/reactivity';

import { serverTime } from './api';

const SECOND = 1000;

const ticks = createSubscriber((update) => {
  const timer = setInterval(update, SECOND);
  return () => clearInterval(timer);
});

export const now = {
  /** The time on the server's clock in Unix seconds; whoever reads it is told every second. */
  get seconds(): number {
    ticks();
    return serverTime();
  },
};
