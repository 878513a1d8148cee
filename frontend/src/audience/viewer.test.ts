import { expect, it } from 'vitest';

import { keepViewer, keptViewer, viewer } from './viewer';

function memory(): () => Storage {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage;
  return () => storage;
}
const forbidden = (): Storage => {
  throw new Error('storage is forbidden');
};

it('keeps nothing of who only watches', () => {
  const storage = memory();
  expect(keptViewer(storage)).toBeNull();
  expect(storage().getItem('viewer /')).toBeNull();
});

it('is the same from visit to visit, with its name', () => {
  const storage = memory();
  const who = viewer(storage);
  expect(who.id).toMatch(/^[0-9a-f]{32}$/);
  keepViewer({ ...who, name: 'Ada' }, storage);
  expect(viewer(storage)).toEqual({ id: who.id, name: 'Ada' });
});

it('lasts as long as the page where nothing may be kept', () => {
  expect(viewer(forbidden).id).toBe(viewer(forbidden).id);
});
