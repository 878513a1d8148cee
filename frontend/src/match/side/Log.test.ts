import { render } from 'svelte/server';
import { expect, it, vi } from 'vitest';

import { EMPTY } from '../../episode/record/store';
import type { View, Watch } from '../../episode/watch.svelte';
import { event } from '../../testing/episode';
import Log from './Log.svelte';

vi.mock('../../net/access.svelte', () => ({ access: { signed: false } }));
vi.mock('../../net/api', () => ({ api: { replayHref: () => 'record' } }));

it('counts what is hidden from the viewpoint and lists the rest, the newest first', () => {
  const slots = [event(0, 'A', {}), null, null, event(3, 'B', {}), event(4, 'C', {})];
  const view = { seq: 3, narrated: null, store: { ...EMPTY, slots }, landmarks: { broken: [] } } as unknown as View;
  const watch = {
    id: 'a',
    as: 'spectator',
    at: (seq: number) => ({ text: `text ${seq}`, step: true }),
  } as unknown as Watch;
  const { body } = render(Log, { props: { watch, view } });
  expect(body).toContain('2 events are hidden from your viewpoint.');
  expect(body.match(/text \d/g)).toEqual(['text 3', 'text 0']);
  expect(body).not.toContain('<li class="withheld');
});
