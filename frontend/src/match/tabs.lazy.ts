/** The tabs that every game has. They are one chunk, which is loaded after the board. */

export { default as Log } from './Log.svelte';
export { default as Notes } from './Notes.svelte';
export { default as Press } from './Press.svelte';
export { default as Reasoning } from './Reasoning.svelte';
