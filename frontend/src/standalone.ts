/** The entry of the file that carries one episode: the page of that match, without a server. */

import { carried } from './takeaway/sealed';
import { mount } from 'svelte';

import Campaign from './campaign/Campaign.svelte';
import Match from './match/Match.svelte';
import { CAMPAIGNS } from './types.gen';
import './style.css';
import './takeaway/standalone.css';

const target = document.getElementById('app');
if (!target) throw new Error('The file has no #app');
const { episode, page } = await carried;
const search = new URLSearchParams(location.search);
search.set('as', page.viewpoint);
// Other viewpoints are not in the file.
episode.reveal = 'never';
mount(CAMPAIGNS.includes(episode.game) ? Campaign : Match, { target, props: { id: episode.episode_id, search } });
