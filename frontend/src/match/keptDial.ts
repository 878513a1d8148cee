/** The viewer's own pace in a match, which stays when the page is loaded again in the same tab. */

const KEY = 'pace';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

/** Return the dial that was chosen for the match `id` in this tab, or null. */
export function keptDial(id: string, storage: () => Storage = () => sessionStorage): string | null {
  try {
    const [match, dial] = storage().getItem(KEY)?.split(' ') ?? [];
    return match === id ? (dial ?? null) : null;
  } catch {
    return null; // If storage is forbidden, every page begins with the usual pace.
  }
}

/** Keep the dial chosen for the match `id`, the last one for which the viewer chose. */
export function keepDial(id: string, dial: string, storage: () => Storage = () => sessionStorage): void {
  try {
    storage().setItem(KEY, `${id} ${dial}`);
  } catch {
    // The choice holds until the page is left.
  }
}
