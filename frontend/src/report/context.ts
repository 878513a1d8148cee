/** What the parts of a report share with it. */

import { createContext } from 'svelte';

import type { Behind } from '../types.gen';

export interface Surroundings {
  /** The colour of a player or arm. */
  colour(owner: string): string;
  /** Show the matches that a value rests on. */
  open(behind: Behind): void;
}

export const [surroundings, surround] = createContext<Surroundings>();
