/** Everything that the server sends of one episode: its stream, the history before it, and why either fails. */

import { ApiError, api } from '../../net/api';
import { browser } from '../../net/browser';
import { fillHistory, type HistoryEvents } from './history';
import { Stream, type StreamEvents, type StreamState } from './stream';
import type { Snapshot } from '../../types.gen';

export interface FeedEvents extends StreamEvents, HistoryEvents {
  /** The episode cannot be watched. */
  failure(failure: Failure): void;
}

export interface Failure {
  readonly status: number;
  readonly reason: string;
}

/** Milliseconds of silence after which the stream is checked, because a connection can die without notice. */
const QUIET = 30_000;
/** Milliseconds for which the server may answer, and then send what it has. */
const GRACE = 5_000;

export class Feed {
  /** Aborted when the episode is closed. */
  readonly #abort = new AbortController();
  #stream: Stream;
  #state: StreamState = { name: 'connecting' };
  /** Whether anything has arrived. */
  #here = false;
  #filling = false;
  #quiet = 0;

  constructor(
    private readonly id: string,
    private readonly as: string,
    private readonly events: FeedEvents,
  ) {
    this.#stream = new Stream(
      id,
      as,
      {
        resync: (reason) => events.resync(reason),
        snapshot: (snapshot) => this.#join(snapshot),
        frame: (frame) => {
          this.#watchSilence();
          events.frame(frame);
        },
        state: (state) => void this.#connected(state),
      },
      browser,
    );
  }

  /** Open the stream, and fetch the moment `seq` before the events that lead to it. */
  open(seq: number | null): void {
    this.#stream.open();
    if (seq !== null) void this.#firstLook(seq);
  }

  close(): void {
    this.#stream.close();
    this.#abort.abort();
    clearTimeout(this.#quiet);
  }

  get closed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Reconnect to the server now. */
  retry(): void {
    this.#stream.retry();
  }

  /** Fetch the events that are missing, if any are and they are not being fetched. */
  async fill(): Promise<void> {
    if (this.#filling || !this.events.gap()) return;
    this.#filling = true;
    await fillHistory(this.id, this.as, this.events, this.#abort.signal);
    this.#filling = false;
  }

  async #firstLook(seq: number): Promise<void> {
    try {
      this.#join(await api.snapshot(this.id, this.as, seq, this.#abort.signal));
    } catch (error) {
      // A number that does not exist yet is shown as the live end, which the stream sends.
      if (!(error instanceof ApiError) && !this.closed) throw error;
    }
  }

  #join(snapshot: Snapshot): void {
    this.#here = true;
    this.events.snapshot(snapshot);
  }

  async #connected(state: StreamState): Promise<void> {
    this.#state = state;
    this.events.state(state);
    this.#watchSilence();
    if (state.name === 'refused') this.events.failure({ status: state.code, reason: state.reason });
    if (state.name !== 'reconnecting' || this.#here) return;
    // Nothing has ever arrived: request the reason, which a refused handshake does not give.
    try {
      await api.episode(this.id, this.#abort.signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return;
      this.#stream.close();
      this.events.failure({ status: error.status, reason: error.message });
    }
  }

  #watchSilence(): void {
    clearTimeout(this.#quiet);
    if (this.#state.name === 'live') this.#quiet = window.setTimeout(() => void this.#ask(), QUIET);
  }

  /** After a long silence, continue if the server says that it has nothing new, else resume on a new connection. */
  async #ask(): Promise<void> {
    const known = await Promise.race([
      api.episode(this.id, this.#abort.signal).then(
        (episode) => episode.last_seq,
        () => Infinity,
      ),
      new Promise<number>((resolve) => window.setTimeout(() => resolve(Infinity), GRACE)),
    ]);
    if (this.closed) return;
    this.#quiet = window.setTimeout(() => {
      if (this.#stream.last < known) this.#stream.restart();
      this.#watchSilence();
    }, GRACE);
  }
}
