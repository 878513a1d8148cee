/** The parts of the match page that are not needed for its first view. They are one chunk, loaded after the board. */

export { default as EndCard } from './EndCard.svelte';
export { default as Help } from './Help.svelte';
export { default as Log } from './Log.svelte';
export { default as Reasoning } from './Reasoning.svelte';
export { default as Story } from './Story.svelte';
