/**
 * The entry of `embed.html`, which any site may show in a frame. It has no other pages, follows no link within the frame,
 * and acts as a spectator: a site that frames it cannot act in the name of the user.
 */

import { mount } from 'svelte';

import { actAsSpectator } from './net/token';
import { embeddedId } from './share/embed';
import Embed from './share/Embed.svelte';
import './style.css';

actAsSpectator();

const target = document.getElementById('app');
if (!target) throw new Error('embed.html has no #app');
const { pathname, search } = location;
mount(Embed, { target, props: { id: embeddedId(pathname), search: new URLSearchParams(search) } });
