/** What the match page gives to who may steer it or play in it; nobody else fetches it. */

export { default as Bar } from './Bar.svelte';
export { default as SeatPanel } from './seat/SeatPanel.svelte';
