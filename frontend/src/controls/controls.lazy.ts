/** The controls that the match page loads only for operators and seat holders. */

export { default as Toolbar } from './Toolbar.svelte';
export { default as Fork } from './Fork.svelte';
export { default as SeatPanel } from './seat/SeatPanel.svelte';
