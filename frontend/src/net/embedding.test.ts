import { describe, expect, it } from 'vitest';

import { entrance, placeOf } from './embedding';

const at = (path: string): URL => new URL(path, 'https://demo.hf.space');

describe('entrance', () => {
  it('is the place in the hash', () => {
    expect(entrance(at('/#/episode/cricket-1?seq=3')).href).toBe(at('/episode/cricket-1?seq=3').href);
    expect(entrance(at('/?__theme=dark#/cockpit')).href).toBe(at('/cockpit').href);
  });

  it('is the address itself at any other place than the root', () => {
    for (const path of ['/embed/x#/cockpit?match=a', '/embed/x#/', '/episode/a#/cockpit', '/index.html#/cockpit']) {
      expect(entrance(at(path)).href).toBe(at(path).href);
    }
  });

  it('is the address itself where the hash holds no place of ours', () => {
    for (const path of ['/', '/episode/a?seq=3', '/#main', '/#//example.org/x', '/#/\\example.org']) {
      expect(entrance(at(path)).href).toBe(at(path).href);
    }
  });
});

describe('placeOf', () => {
  it('names the place by what an entrance needs', () => {
    for (const path of ['/', '/episode/a%20b?seq=3&as=seat%3AFRANCE', '/cockpit?match=x']) {
      const url = at(path);
      expect(entrance(at(`/#${placeOf(url)}`)).href).toBe(url.href);
    }
  });

  it("leaves the parent's own parameters out: a signature must not be shared", () => {
    expect(placeOf(at('/episode/a?__sign=secret&seq=3&__theme=dark'))).toBe('/episode/a?seq=3');
    expect(placeOf(at('/?__sign=secret'))).toBe('/');
  });
});
