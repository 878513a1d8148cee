import { mount } from 'svelte';

import App from './App.svelte';
import { keepFocus } from './lib/focus';
import { router } from './net/router.svelte';
import { acceptInvitation } from './net/token';
import './style.css';

acceptInvitation();

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');
if (!router.leaving) {
  keepFocus(target);
  mount(App, { target });
}
