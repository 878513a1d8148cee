/** The connection to the server, as an interface that the browser and tests implement. */

/** A WebSocket, or server-sent events where a proxy blocks WebSockets. */
export type Transport = 'socket' | 'events';

/** What the stream needs from the browser; tests replace it. */
export interface Surroundings {
  connect(transport: Transport, path: string): Socket;
  now(): number;
  random(): number;
  setTimeout(run: () => void, milliseconds: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((closed: { code: number; reason: string }) => void) | null;
  close(): void;
}
