import { MediaQuery } from 'svelte/reactivity';

/** Whether the user prefers pictures without motion. */
export const still = new MediaQuery('prefers-reduced-motion: reduce');
