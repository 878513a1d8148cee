/** The keyboard of the match page. */

import type { Watch } from '../../episode/watch.svelte';

const TYPING = 'input:not([type=range]), textarea, select, [contenteditable]';

/** The keys in words. */
export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Space'], does: 'Pause my view, or play on' },
  { keys: ['←', '→'], does: 'One step back or forward' },
  { keys: ['Page up', 'Page down'], does: 'One turn back or forward; also Shift with an arrow' },
  { keys: ['Home'], does: 'The first turn' },
  { keys: ['End'], does: 'Back to live, or to the end' },
  { keys: ['F'], does: 'Full screen' },
  { keys: ['?'], does: 'This list' },
];

/** What the page itself does for a key. */
export interface PageActs {
  help(): void;
  fullScreen(): void;
}

/** Handle `event` if it is one of the page's keys and no text field has the focus. */
export function press(event: KeyboardEvent, watch: Watch, page: PageActs): void {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING)) return;
  if (target?.closest('dialog')) return;
  if (event.key === ' ' && target?.closest('button, a, summary')) return;
  const act = actions(watch, event.shiftKey, page)[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function actions(watch: Watch, shift: boolean, page: PageActs): Record<string, () => void> {
  return {
    ArrowLeft: () => (shift ? watch.show.turn(-1) : watch.show.back()),
    ArrowRight: () => (shift ? watch.show.turn(1) : watch.show.next()),
    PageUp: () => watch.show.turn(-1),
    PageDown: () => watch.show.turn(1),
    Home: () => watch.show.look(watch.show.start),
    End: () => watch.show.follow(),
    ' ': () => watch.toggle(),
    f: () => page.fullScreen(),
    '?': () => page.help(),
  };
}
