/** Notifications of the browser: whether it shows them, and one when a followed player's match begins. */

import { api } from '../net/api';
import { matchHref, router } from '../net/router.svelte';
import { listed } from '../lib/say';
import { plain } from '../lib/text';
import type { Followed } from './followed.svelte';
import { begun } from './matches';

/** Milliseconds between two looks at the live matches. */
const EVERY = 20_000;
/** Origins of matches that begin by the hundred, and are told of nobody. */
const APART = ['tournament', 'trainer'];
/** Live matches that are looked at, the newest. */
const LOOKED = 50;

/** Whether the browser shows notifications: `default` until it was asked, `insecure` and `missing` where it cannot be. */
export type Permission = NotificationPermission | 'insecure' | 'missing';

export function permission(): Permission {
  if (!isSecureContext) return 'insecure';
  return 'Notification' in window ? Notification.permission : 'missing';
}

/** Ask for the permission: only after a click. */
export async function askPermission(): Promise<Permission> {
  const known = permission();
  return known === 'default' ? Notification.requestPermission() : known;
}

/** Show a notification; return whether the browser takes one of a page. Some take those of installed programs only. */
export function show(title: string, body: string, tag: string, onclick: () => void): boolean {
  try {
    const shown = new Notification(title, { body, tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onclick();
    };
    return true;
  } catch {
    return false;
  }
}

/** Look for matches that begin until `gone`, also while the tab is hidden. */
export function herald(followed: Followed, gone: AbortSignal): void {
  let known: ReadonlySet<string> | null = null;
  const look = async (): Promise<void> => {
    const { episodes: live } = await api.episodes({ status: ['live'], limit: LOOKED, without: APART }, gone);
    for (const { episode, players } of begun(known, live, followed.names))
      show(
        `${listed(players.map((name) => plain(name, 40)))} ${players.length > 1 ? 'play' : 'plays'} now`,
        plain(episode.title, 100),
        `${episode.episode_id} began`,
        () => router.go(new URL(matchHref(episode.episode_id), location.href)),
      );
    known = new Set(live.map(({ episode_id: id }) => id));
  };
  const again = (): void => void look().catch(() => undefined);
  const timer = setInterval(again, EVERY);
  gone.addEventListener('abort', () => clearInterval(timer));
  again();
}
