import { describe, expect, it } from 'vitest';

import { embeddedId, parentOrigin, readCommand, readOptions } from './embed';

const options = (text: string) => readOptions(new URLSearchParams(text));

describe('readOptions', () => {
  it('has defaults', () => {
    expect(options('')).toEqual({
      theme: 'auto',
      first: null,
      last: null,
      autoplay: true,
      pace: 'live',
      controls: true,
      muted: true,
      origin: null,
    });
  });

  it('reads every option', () => {
    const all = 'theme=dark&first=3&last=9&autoplay=0&pace=slow&controls=0&muted=0&origin=https://blog.example/page';
    expect(options(all)).toEqual({
      theme: 'dark',
      first: 3,
      last: 9,
      autoplay: false,
      pace: 'slow',
      controls: false,
      muted: false,
      origin: 'https://blog.example',
    });
    expect(options('seq=5').first).toBe(5);
  });

  it('ignores what cannot be read', () => {
    expect(options('theme=pink&first=-1&last=x&pace=warp&origin=nowhere')).toEqual(options(''));
    expect(options('first=9&last=3').last).toBeNull();
    expect(options('last=1').last).toBe(1);
    expect(options('last=0').last).toBeNull();
    expect(options('origin=data:text/html,x').origin).toBeNull();
  });
});

describe('parentOrigin', () => {
  it('is the one that the address names, or the one of the referrer', () => {
    expect(parentOrigin(options('origin=https://a.example'), 'https://b.example/x')).toBe('https://a.example');
    expect(parentOrigin(options(''), 'https://b.example/x')).toBe('https://b.example');
    expect(parentOrigin(options(''), '')).toBeNull();
  });
});

describe('readCommand', () => {
  it('reads the three commands', () => {
    expect(readCommand({ target: 'grandstand', command: 'play' })).toEqual({ command: 'play' });
    expect(readCommand({ target: 'grandstand', command: 'pause', more: 1 })).toEqual({ command: 'pause' });
    expect(readCommand({ target: 'grandstand', command: 'seek', seq: 4 })).toEqual({ command: 'seek', seq: 4 });
  });

  it('reads nothing else', () => {
    const others = [null, 'play', { command: 'play' }, { target: 'grandstand', command: 'stop' }];
    const seeks = [undefined, -1, 1.5, '3', NaN, Infinity].map((seq) => ({
      target: 'grandstand',
      command: 'seek',
      seq,
    }));
    for (const data of [...others, ...seeks]) expect(readCommand(data)).toBeNull();
  });
});

describe('embeddedId', () => {
  it('is the last part of the path, however it is encoded and wherever the page lies', () => {
    for (const path of ['/embed/a%20b', '/%65mbed/a%20b', '/stand/embed/a%20b/', '/embed/a b'])
      expect(embeddedId(path)).toBe('a b');
    expect(embeddedId('/embed/%')).toBe('%');
    expect(embeddedId('/')).toBe('');
  });
});
