/**
 * The browser's transports for the stream: a WebSocket or, where it is blocked, server-sent events with the same
 * frames.
 */

import { api } from './api';
import { rooted } from './root';
import { authorization, token } from './token';
import type { Socket, Surroundings } from './transport';

/**
 * Return the close code for a response of the event stream: 204 means that everything was sent; others are as on the
 * socket.
 */
const CLOSES: Record<number, number> = { 204: 4500, 403: 4503, 404: 4504, 422: 4505 };
const LOST = 1006;

export const browser: Surroundings = {
  connect(transport, path) {
    const url = new URL(rooted(path), location.href);
    if (transport === 'events') return new EventStream(url.href);
    url.protocol = url.protocol.replace('http', 'ws');
    return token() === null ? (new WebSocket(url) as Socket) : new TicketSocket(url);
  },
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (run, milliseconds) => window.setTimeout(run, milliseconds),
  clearTimeout: (timer) => window.clearTimeout(timer as number),
};

/**
 * A WebSocket of a signed-in user. Each connection uses its own ticket, because an address must not contain a token.
 */
class TicketSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  #socket: WebSocket | null = null;
  #closed = false;

  constructor(url: URL) {
    void api.ticket().then(
      ({ ticket }) => this.#open(url, ticket),
      () => this.onclose?.({ code: LOST, reason: '' }),
    );
  }

  close(): void {
    this.#closed = true;
    this.#socket?.close();
  }

  #open(url: URL, ticket: string): void {
    if (this.#closed) return;
    url.searchParams.set('ticket', ticket);
    this.#socket = new WebSocket(url);
    this.#socket.onopen = () => this.onopen?.();
    this.#socket.onmessage = (message) => this.onmessage?.(message);
    this.#socket.onclose = (closed) => this.onclose?.(closed);
  }
}

/**
 * Server-sent events (HTML standard, section 9.2) by fetch, which gives the reason of a closed stream; EventSource does
 * not.
 */
class EventStream implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  #abort = new AbortController();

  constructor(url: string) {
    void this.#read(url).then(
      (code) => this.onclose?.({ code, reason: '' }),
      () => this.onclose?.({ code: LOST, reason: '' }),
    );
  }

  close(): void {
    this.#abort.abort();
  }

  /** The close code that the stream has sent. */
  async #read(url: string): Promise<number> {
    const headers = { Accept: 'text/event-stream', ...authorization() };
    const response = await fetch(url, { signal: this.#abort.signal, headers });
    if (response.status !== 200 || !response.body) return CLOSES[response.status] ?? LOST;
    this.onopen?.();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const messages = (rest + chunk.value).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const fields = new Map(message.split('\n').map((line) => fieldOf(line)));
        const data = fields.get('data');
        if (data === undefined) continue;
        if (fields.get('event') === 'close') return Number(data);
        this.onmessage?.({ data });
      }
    }
    return LOST;
  }
}

function fieldOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
}
