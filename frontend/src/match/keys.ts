/** The keyboard of the match page. */

import type { Watch } from '../episode/watch.svelte';

const TYPING = 'input:not([type=range]), textarea, select, [contenteditable]';

/** Handle `event` if it is one of the page's keys and no text field has the focus. */
export function press(event: KeyboardEvent, watch: Watch): void {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || target?.closest(TYPING)) return;
  if (event.key === ' ' && target?.closest('button, a')) return;
  const act = actions(watch, event.shiftKey)[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function actions(watch: Watch, shift: boolean): Record<string, () => void> {
  return {
    ArrowLeft: () => (shift ? watch.turn(-1) : watch.back()),
    ArrowRight: () => (shift ? watch.turn(1) : watch.next()),
    PageUp: () => watch.turn(-1),
    PageDown: () => watch.turn(1),
    Home: () => watch.look(0),
    End: () => watch.follow(),
    ' ': () => watch.toggle(),
  };
}
