import { describe, expect, it, vi } from 'vitest';

import { Arriving, received } from './arriving';

const bytes = (...values: number[]): Uint8Array<ArrayBuffer> => new Uint8Array(values);

function response(headers: Record<string, string> = {}) {
  let end!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (end = controller) });
  return { end, response: new Response(body, { headers: { 'content-type': 'audio/mpeg', ...headers } }) };
}

describe('a clip that is still being made', () => {
  it('gives its pieces as they come, from the first one to any listener, and is kept when it is whole', async () => {
    const { end, response: answer } = response();
    const clip = new Arriving(answer);
    const pieces = clip.pieces();
    end.enqueue(bytes(1, 2));
    expect((await pieces.next()).value).toEqual(bytes(1, 2));
    end.enqueue(bytes(3));
    expect((await pieces.next()).value).toEqual(bytes(3));
    end.close();
    expect((await pieces.next()).done).toBe(true);
    expect([...new Uint8Array(await (await clip.whole).arrayBuffer())]).toEqual([1, 2, 3]);
    const late: number[] = [];
    for await (const piece of clip.pieces()) late.push(...piece);
    expect(late).toEqual([1, 2, 3]);
  });

  it('is never whole if it breaks off', async () => {
    const { end, response: answer } = response();
    const clip = new Arriving(answer);
    const pieces = clip.pieces();
    end.enqueue(bytes(1));
    await pieces.next();
    end.error(new TypeError('network error'));
    await expect(pieces.next()).rejects.toThrow('network error');
    await expect(clip.whole).rejects.toThrow('network error');
  });

  it('is played piece by piece only where the browser can', async () => {
    vi.stubGlobal('MediaSource', { isTypeSupported: (type: string) => type === 'audio/mpeg' });
    expect(await received(response().response)).toBeInstanceOf(Arriving);
    const others: Record<string, string>[] = [{ 'content-length': '1' }, { 'content-type': 'audio/wav' }];
    for (const headers of others) {
      const { end, response: answer } = response(headers);
      end.close();
      expect(await received(answer)).toBeInstanceOf(Blob);
    }
    vi.unstubAllGlobals();
    const { end, response: answer } = response();
    end.close();
    expect(await received(answer)).toBeInstanceOf(Blob);
  });
});
