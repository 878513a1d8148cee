/** The parts of the match page that are not needed for its first view. They are one chunk, loaded after the board. */

export { default as EndCard } from '../EndCard.svelte';
export { default as Help } from '../bar/Help.svelte';
export { default as Log } from './Log.svelte';
export { default as Notes } from './Notes.svelte';
export { default as Predict } from '../../predict/Predict.svelte';
export { default as Reasoning } from './Reasoning.svelte';
export { default as Story } from './Story.svelte';
export { default as TrainingPlace } from '../TrainingPlace.svelte';
export { default as Viewers } from '../bar/Viewers.svelte';
export { default as ViewpointSelect } from '../bar/ViewpointSelect.svelte';
export { default as Share } from '../../share/Share.svelte';
export { default as TakeAway } from '../../takeaway/TakeAway.svelte';
export { default as VoiceButton } from '../../voice/VoiceButton.svelte';
