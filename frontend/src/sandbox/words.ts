/** Moves in words. Pure. */

import { plain } from '../lib/text';
import type { SandboxMove } from '../types.gen';

const LONGEST = 160;

/** Return what a move says: the words and numbers of its action, in order. */
export function moveWords({ action }: SandboxMove): string {
  if (!action) return 'nothing';
  const words = leaves(action).map((leaf) => String(leaf).replaceAll('_', ' '));
  return plain(words.join(', ') || 'nothing', LONGEST);
}

function leaves(value: unknown): (string | number | boolean)[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves);
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value) ? [value] : [];
}
