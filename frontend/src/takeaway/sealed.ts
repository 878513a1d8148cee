/** Seals the page: from here on, requests are answered from the file. It is imported before everything else. */

import { fetcher, socket, unpacked } from './offline';

document.documentElement.dataset['carried'] = '';

export const carried = unpacked(document.getElementById('episode')?.textContent ?? '');

window.fetch = fetcher(carried);
window.WebSocket = socket(carried);

// A file that was opened from a disk may not change its address everywhere; the page does without.
for (const name of ['pushState', 'replaceState'] as const) {
  const change = history[name].bind(history);
  history[name] = (...parameters) => {
    try {
      change(...parameters);
    } catch {
      // The address stays as it is.
    }
  };
}
