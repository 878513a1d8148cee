/** Who calls, as this browser keeps it: random digits that are shown to nobody, and a name if one likes. */

import { newKey } from '../net/calls';
import { rooted } from '../net/root';

export interface Viewer {
  readonly id: string;
  readonly name: string;
}

const KEY = `viewer ${rooted('/')}`;
const ID = /^[0-9a-f]{32}$/;

let unkept: Viewer | null = null;

/** Return the viewer that this browser keeps, or null before the first call. */
export function keptViewer(storage: () => Storage = () => localStorage): Viewer | null {
  try {
    const kept = JSON.parse(storage().getItem(KEY) ?? 'null') as Partial<Viewer> | null;
    if (kept && ID.test(kept.id ?? '')) return { id: kept.id ?? '', name: kept.name ?? '' };
  } catch {
    // Storage is forbidden, or holds something else.
  }
  return unkept;
}

/** Return the viewer of this browser; a new one, kept from now on, where none is kept. */
export function viewer(storage: () => Storage = () => localStorage): Viewer {
  return keptViewer(storage) ?? keepViewer({ id: newKey(), name: '' }, storage);
}

export function keepViewer(who: Viewer, storage: () => Storage = () => localStorage): Viewer {
  try {
    storage().setItem(KEY, JSON.stringify(who));
  } catch {
    unkept = who; // It lasts as long as the page.
  }
  return who;
}
