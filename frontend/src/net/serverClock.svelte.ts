/** The server's time for clocks on the page. It advances every second while a component uses it. */

import { serverTime } from './api';

export class Now {
  seconds = $state(serverTime());

  constructor() {
    $effect(() => {
      const timer = setInterval(() => (this.seconds = serverTime()), 1000);
      return () => clearInterval(timer);
    });
  }
}
