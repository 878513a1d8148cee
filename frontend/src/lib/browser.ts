/** The browser, as the stream needs it. */

import type { Socket, Surroundings } from '../stream';

export const browser: Surroundings = {
  connect(path) {
    const url = new URL(path, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    return new WebSocket(url) as Socket;
  },
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (run, milliseconds) => window.setTimeout(run, milliseconds),
  clearTimeout: (timer) => window.clearTimeout(timer as number),
};
