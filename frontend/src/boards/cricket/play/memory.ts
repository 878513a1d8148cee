/** The last choice on this page, so that it can be repeated with one tap. It is lost with the page. */

import { SvelteMap } from 'svelte/reactivity';

import type { Chosen } from '../../../seat/slots';

const last = new SvelteMap<string, Chosen>();

const key = (episode: string, { tool }: Chosen): string => `${episode} ${String(tool)}`;

export const remember = (episode: string, chosen: Chosen): unknown => last.set(key(episode, chosen), chosen);

/** Return what was chosen last in `episode` with the same tool, or null. */
export const recall = (episode: string, chosen: Chosen): Chosen | null => last.get(key(episode, chosen)) ?? null;
