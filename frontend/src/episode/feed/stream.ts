/**
 * The stream of one episode: each numbered frame exactly once and in order, over as many connections as necessary. A
 * frame must have the next number. After a gap, the connection is closed and resumed from the last valid number. After
 * close codes 4000-4499 and network failures, the stream reconnects with jittered back-off; after 4500-4999 it does
 * not.
 */

import type { Numbered } from '../record/store';
import { seqOf } from '../record/store';
import type { Socket, Surroundings, Transport } from '../../net/transport';
import type { Frame, Snapshot } from '../../types.gen';

export type StreamState =
  | { name: 'connecting' }
  | { name: 'live' }
  /** The connection is lost; the next attempt is at `retryAt` (milliseconds of `Date.now()`). */
  | { name: 'reconnecting'; attempt: number; retryAt: number }
  /** The episode has ended, and all events have been sent. */
  | { name: 'complete' }
  /** The server has refused the connection permanently. */
  | { name: 'refused'; code: number; reason: string };

export interface StreamEvents {
  snapshot(snapshot: Snapshot): void;
  frame(frame: Numbered): void;
  resync(reason: string): void;
  state(state: StreamState): void;
}

const FIRST_DELAY = 250;
const LONGEST_DELAY = 10_000;
/** After a connection of at least this duration, the first attempt to reconnect has a short delay again. */
const GOOD = 5_000;
/** Milliseconds after which a connection that has brought nothing is given up: a machine without power sends no end. */
const UNANSWERED = 10_000;
const COMPLETE = 4500;

export class Stream {
  #socket: Socket | null = null;
  #timer: unknown = null;
  #attempt = 0;
  #openedAt = Infinity;
  #position: { epoch: number; seq: number } | null = null;
  #closed = false;
  /** The transport that has worked before; null if none has. */
  #transport: Transport | null = null;

  constructor(
    private readonly episode: string,
    private readonly as: string,
    private readonly events: StreamEvents,
    private readonly browser: Surroundings,
  ) {}

  /** The last number received, or -1. */
  get last(): number {
    return this.#position?.seq ?? -1;
  }

  open(): void {
    this.events.state({ name: 'connecting' });
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    this.browser.clearTimeout(this.#timer);
    this.#drop();
  }

  /** Reconnect now, without waiting for the back-off: the network has returned, or the user asks for it. */
  retry(): void {
    if (this.#closed || this.#socket) return;
    this.browser.clearTimeout(this.#timer);
    this.#connect();
  }

  /** Close the connection, which may be dead without notice, and resume on a new one. */
  restart(): void {
    if (this.#closed || !this.#socket) return;
    this.#drop();
    this.#later();
  }

  #connect(): void {
    const search = new URLSearchParams({ as: this.as });
    if (this.#position) search.set('after', `${this.#position.epoch}.${this.#position.seq}`);
    const transport = this.#transport ?? (this.#attempt % 2 ? 'events' : 'socket');
    if (transport === 'socket') search.set('lines', 'true');
    const route = transport === 'socket' ? 'watch' : 'stream';
    const path = `/api/episodes/${encodeURIComponent(this.episode)}/${route}?${search}`;
    const socket = this.browser.connect(transport, path);
    this.#socket = socket;
    socket.onopen = () => this.#opened(transport);
    socket.onmessage = ({ data }) => {
      for (const line of String(data).split('\n')) if (this.#socket === socket) this.#take(line);
    };
    socket.onclose = ({ code, reason }) => this.#lost(code, reason);
    this.#timer = this.browser.setTimeout(() => this.restart(), UNANSWERED);
  }

  /** A resumed stream that has missed nothing gets no frame; a new one waits for its snapshot. */
  #opened(transport: Transport): void {
    this.#transport = transport;
    this.#openedAt = this.browser.now();
    if (!this.#position) return;
    this.browser.clearTimeout(this.#timer);
    this.events.state({ name: 'live' });
  }

  #take(text: string): void {
    let frame: Frame;
    try {
      frame = JSON.parse(text) as Frame;
    } catch {
      this.restart();
      return;
    }
    this.#receive(frame);
  }

  #receive(frame: Frame): void {
    this.browser.clearTimeout(this.#timer);
    switch (frame.frame) {
      case 'resync':
        this.#position = null;
        this.events.resync(frame.reason);
        return;
      case 'snapshot':
        this.#position = { epoch: frame.snapshot.epoch, seq: frame.snapshot.seq };
        this.events.snapshot(frame.snapshot);
        this.events.state({ name: 'live' });
        return;
      default:
        this.#next(frame);
    }
  }

  #next(frame: Numbered): void {
    const seq = seqOf(frame);
    if (seq <= this.last) return;
    if (seq !== this.last + 1) {
      this.restart();
      return;
    }
    const epoch = frame.frame === 'event' ? frame.event.epoch : (this.#position?.epoch ?? 0);
    this.#position = { epoch, seq };
    this.events.frame(frame);
  }

  #lost(code: number, reason: string): void {
    this.#drop();
    if (this.#closed) return;
    this.#closed = code >= COMPLETE && code < 5000;
    if (!this.#closed) this.#later();
    else if (code === COMPLETE) this.events.state({ name: 'complete' });
    else this.events.state({ name: 'refused', code, reason });
  }

  #later(): void {
    if (this.browser.now() - this.#openedAt > GOOD) this.#attempt = 0;
    this.#openedAt = Infinity;
    const ceiling = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#attempt++);
    const delay = ceiling * (0.5 + this.browser.random() / 2);
    this.events.state({ name: 'reconnecting', attempt: this.#attempt, retryAt: this.browser.now() + delay });
    this.#timer = this.browser.setTimeout(() => this.#connect(), delay);
  }

  #drop(): void {
    if (!this.#socket) return;
    this.browser.clearTimeout(this.#timer);
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }
}
