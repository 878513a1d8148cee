/** The players whom this browser follows, and whether it is to tell when they play. Nothing of it is sent. */

import { rooted } from '../net/root';

const KEY = `followed ${rooted('/')}`;
/** Players that are followed at most; the one followed longest is dropped. */
const MOST = 50;

interface Kept {
  readonly names: readonly string[];
  readonly notify: boolean;
}

/** Return what a text holds that was kept before; nothing of what it should not hold. */
export function keptIn(text: string | null): Kept {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Kept>;
    const names = Array.isArray(kept.names) ? kept.names.filter((name) => typeof name === 'string' && name) : [];
    return { names: names.filter((name, n) => names.indexOf(name) === n).slice(-MOST), notify: kept.notify === true };
  } catch {
    return { names: [], notify: false };
  }
}

export class Followed {
  #kept = $state.raw<Kept>({ names: [], notify: false });
  readonly #storage: () => Storage;

  names = $derived.by(() => this.#kept.names);
  /** Whether a notification is wanted when one of them begins to play. */
  notify = $derived.by(() => this.#kept.notify && this.#kept.names.length > 0);

  constructor(storage: () => Storage = () => localStorage) {
    this.#storage = storage;
    this.read();
  }

  /** Read what another tab may have changed. */
  read(): void {
    try {
      this.#kept = keptIn(this.#storage().getItem(KEY));
    } catch {
      // Storage is forbidden: what is followed lasts as long as the page.
    }
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** Follow a player, or no longer. */
  toggle(name: string): void {
    const others = this.names.filter((other) => other !== name);
    this.#keep({ ...this.#kept, names: this.has(name) ? others : [...others, name].slice(-MOST) });
  }

  tell(notify: boolean): void {
    this.#keep({ ...this.#kept, notify });
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    try {
      this.#storage().setItem(KEY, JSON.stringify(kept));
    } catch {
      // It lasts as long as the page.
    }
  }
}

export const followed = new Followed();

if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) followed.read();
  });
