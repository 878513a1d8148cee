import { describe, expect, it } from 'vitest';

import { share } from './immutable';

describe('sharing', () => {
  it('gives back the old where nothing changed, and old parts of the new', () => {
    const old = { a: [1, { b: 2 }], c: { d: [3] } };
    expect(share(old, structuredClone(old))).toBe(old);
    const fresh = share(old, { a: [1, { b: 5 }], c: { d: [3] } });
    expect(fresh).toEqual({ a: [1, { b: 5 }], c: { d: [3] } });
    expect(fresh.c).toBe(old.c);
    expect(share<unknown>([1], { 0: 1 })).toEqual({ 0: 1 });
    expect(share<unknown>({ a: 1 }, { a: 1, b: undefined })).toEqual({ a: 1, b: undefined });
  });
});
