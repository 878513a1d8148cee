import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

import { seqOf, type Numbered } from '../record/store';
import { Stream, type StreamState } from './stream';
import type { Socket, Surroundings, Transport } from '../../net/transport';
import { EPOCH, frames, ID, snapshot } from '../../testing/episode';
import type { Frame } from '../../types.gen';

const ALL = frames(200);

class FakeSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  closed = false;

  constructor(
    readonly transport: Transport,
    readonly path: string,
  ) {}

  get after(): string | null {
    return new URL(this.path, 'http://x').searchParams.get('after');
  }
  close(): void {
    this.closed = true;
  }
  send(...sent: Frame[]): void {
    for (const frame of sent) this.onmessage?.({ data: JSON.stringify(frame) });
  }
  lose(code = 1006, reason = ''): void {
    this.onclose?.({ code, reason });
  }
  join(seq: number): void {
    this.onopen?.();
    this.send({ frame: 'snapshot', snapshot: snapshot(ALL, seq) });
  }
}

let sockets: FakeSocket[];
let timers: { run: () => void; at: number }[];
let clock: number;
let numbers: number[];
let states: StreamState[];
let resyncs: string[];
let stream: Stream;

const browser: Surroundings = {
  connect: (transport, path) => {
    const socket = new FakeSocket(transport, path);
    sockets.push(socket);
    return socket;
  },
  now: () => clock,
  random: () => 0.5,
  setTimeout: (run, milliseconds) => {
    const timer = { run, at: clock + milliseconds };
    timers.push(timer);
    return timer;
  },
  clearTimeout: (timer) => {
    timers = timers.filter((kept) => kept !== timer);
  },
};

function wake(): void {
  const timer = timers.shift();
  if (!timer) throw new Error('nothing is waited for');
  clock = timer.at;
  timer.run();
}

const socket = (): FakeSocket => sockets[sockets.length - 1] as FakeSocket;

beforeEach(() => {
  [sockets, timers, numbers, states, resyncs, clock] = [[], [], [], [], [], 0];
  stream = new Stream(
    ID,
    'spectator',
    {
      snapshot: (taken) => numbers.push(taken.seq),
      frame: (frame: Numbered) => numbers.push(seqOf(frame)),
      resync: (reason) => resyncs.push(reason),
      state: (state) => states.push(state),
    },
    browser,
  );
  stream.open();
});

describe('stream', () => {
  it('joins with a snapshot and takes what follows', () => {
    expect(socket().after).toBeNull();
    socket().join(9);
    socket().send(...ALL.slice(10, 15));
    expect(numbers).toEqual([9, 10, 11, 12, 13, 14]);
    expect(states.at(-1)).toEqual({ name: 'live' });
  });

  it('resumes from the last good number and is live again though nothing was missed', () => {
    socket().join(9);
    socket().lose();
    expect(states.at(-1)).toEqual({ name: 'reconnecting', attempt: 1, retryAt: timers[0]?.at });
    wake();
    expect(socket().after).toBe(`${EPOCH}.9`);
    socket().onopen?.();
    expect(states.at(-1)).toEqual({ name: 'live' });
    socket().send(...ALL.slice(10, 12));
    expect(numbers).toEqual([9, 10, 11]);
  });

  it('gives up a connection that brings nothing, and resumes where it was', () => {
    socket().join(9);
    socket().lose();
    wake();
    const silent = socket();
    wake();
    expect(silent.closed).toBe(true);
    expect(states.at(-1)).toMatchObject({ name: 'reconnecting', attempt: 2 });
    wake();
    socket().onopen?.();
    expect([socket().after, timers]).toEqual([`${EPOCH}.9`, []]);
  });

  it('takes every number once and in order, whatever the connections do', () => {
    const fault = fc.oneof(
      fc.record({ do: fc.constant('send' as const), count: fc.integer({ min: 1, max: 20 }) }),
      fc.record({ do: fc.constantFrom('cut' as const, 'again' as const, 'skip' as const), count: fc.constant(1) }),
    );
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 40 }), (faults) => {
        [sockets, timers, numbers, clock] = [[], [], [], 0];
        stream = new Stream(
          ID,
          'spectator',
          {
            snapshot: (taken) => numbers.push(taken.seq),
            frame: (frame) => numbers.push(seqOf(frame)),
            resync: () => undefined,
            state: () => undefined,
          },
          browser,
        );
        stream.open();
        socket().join(0);
        let next = 1;
        for (const { do: what, count } of faults) {
          if (what === 'send') socket().send(...ALL.slice(next, (next += count)));
          if (what === 'again') socket().send(...ALL.slice(Math.max(0, next - 5), next));
          if (what === 'cut') socket().lose();
          if (what === 'skip') socket().send(...ALL.slice(next + 3, next + 5));
          while (timers.length) {
            wake();
            next = Number(socket().after?.split('.')[1]) + 1;
            socket().onopen?.();
          }
        }
        socket().send(...ALL.slice(next));
        expect(numbers).toEqual(ALL.map(seqOf));
      }),
    );
  });

  it('drops what it has on a resync and joins anew', () => {
    socket().join(9);
    socket().send({ frame: 'resync', reason: 'another record' });
    socket().send({ frame: 'snapshot', snapshot: snapshot(ALL, 3) }, ALL[4] as Frame);
    expect(resyncs).toEqual(['another record']);
    expect(numbers).toEqual([9, 3, 4]);
  });

  it('asks for several frames a message and takes them line by line, up to one that is broken', () => {
    socket().join(9);
    expect(new URL(socket().path, 'http://x').searchParams.get('lines')).toBe('true');
    const lines = ALL.slice(10, 13).map((frame) => JSON.stringify(frame));
    socket().onmessage?.({ data: lines.join('\n') });
    expect(numbers).toEqual([9, 10, 11, 12]);
    socket().onmessage?.({ data: `{"frame": "ev\n${JSON.stringify(ALL[13])}` });
    expect(numbers).toEqual([9, 10, 11, 12]);
    wake();
    expect(socket().after).toBe(`${EPOCH}.12`);
  });

  it('takes what is no frame for a broken connection', () => {
    socket().join(9);
    socket().onmessage?.({ data: '{"frame": "ev' });
    wake();
    expect(socket().after).toBe(`${EPOCH}.9`);
  });

  it('ends where the episode is complete, and where the server says not to come back', () => {
    socket().join(9);
    socket().lose(4500, 'complete');
    expect(states.at(-1)).toEqual({ name: 'complete' });
    expect(timers).toEqual([]);
    stream.retry();
    expect(sockets.length).toBe(1);
  });

  it('tells why it was refused', () => {
    socket().lose(4503, 'forbidden');
    expect(states.at(-1)).toEqual({ name: 'refused', code: 4503, reason: 'forbidden' });
    expect(timers).toEqual([]);
  });

  it.each([1001, 1006, 4000, 4001])('comes back after code %i', (code) => {
    socket().join(0);
    socket().lose(code);
    wake();
    expect(socket().after).toBe(`${EPOCH}.0`);
  });

  it('waits longer after every failure, up to a limit, and little again after a good connection', () => {
    socket().join(0);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 9; attempt++) {
      const since = clock;
      socket().lose();
      wake();
      waits.push(clock - since);
    }
    expect(waits.slice(0, 4)).toEqual([187.5, 375, 750, 1500]);
    expect(waits.at(-1)).toBe(7500);
    socket().onopen?.();
    clock += 60_000;
    const since = clock;
    socket().lose();
    expect((timers[0]?.at ?? 0) - since).toBe(187.5);
  });

  it('tries server-sent events where no socket passes, and stays with what works', () => {
    socket().lose();
    wake();
    expect(socket()).toMatchObject({ transport: 'events', path: `/api/episodes/${ID}/stream?as=spectator` });
    socket().join(4);
    socket().lose();
    wake();
    expect(socket().transport).toBe('events');
  });

  it('does nothing more once closed', () => {
    socket().join(0);
    socket().lose();
    stream.close();
    expect(timers).toEqual([]);
    stream.retry();
    expect(sockets.length).toBe(1);
  });
});
