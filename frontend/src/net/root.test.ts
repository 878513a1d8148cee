import { describe, expect, it } from 'vitest';

import { rooted, unrooted } from './root';

describe('addresses below the prefix of a proxy', () => {
  it.each(['/', '/grandstand/', '/user/ada/proxy/8000/'])('go there and back below %s', (root) => {
    for (const path of ['/', '/cockpit?match=a%2Fb', '/episode/m1', '/api/episodes/m1/watch?as=spectator'])
      expect(unrooted(rooted(path, root), root)).toBe(path);
    expect(rooted('/api/health', root)).toBe(`${root}api/health`);
  });

  it('are told from those of another program on the same server', () => {
    expect(unrooted('/other/page', '/grandstand/')).toBeNull();
    expect(unrooted('/grandstand', '/grandstand/')).toBeNull();
  });
});
