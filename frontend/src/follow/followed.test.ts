import { describe, expect, it } from 'vitest';

import { Followed, keptIn } from './followed.svelte';

function memory(): () => Storage {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
  return () => storage;
}

describe('who is followed', () => {
  it('is the same in the next visit', () => {
    const storage = memory();
    const followed = new Followed(storage);
    followed.toggle('Bismarck');
    followed.toggle('heron-2');
    followed.toggle('heron-2');
    followed.tell(true);
    const again = new Followed(storage);
    expect([again.names, again.notify, again.has('Bismarck')]).toEqual([['Bismarck'], true, true]);
  });

  it('is told of nobody when nobody is followed', () => {
    const followed = new Followed(memory());
    followed.tell(true);
    expect(followed.notify).toBe(false);
  });

  it('lasts as long as the page where nothing may be kept', () => {
    const followed = new Followed(() => {
      throw new Error('storage is forbidden');
    });
    followed.toggle('Bismarck');
    expect(followed.has('Bismarck')).toBe(true);
  });

  it('is bounded, and free of what it should not hold', () => {
    expect(keptIn('{"names": ["a", 3, null, "", "a"], "notify": "yes"}')).toEqual({ names: ['a'], notify: false });
    expect(keptIn('not JSON').names).toEqual([]);
    expect(keptIn('null').names).toEqual([]);
    expect(keptIn('{"names": {}}').names).toEqual([]);
    const followed = new Followed(memory());
    for (let n = 0; n < 60; n++) followed.toggle(`p${n}`);
    expect([followed.names.length, followed.names[0]]).toEqual([50, 'p10']);
  });
});
