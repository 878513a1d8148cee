/**
 * Deep links of a page in a frame. huggingface.co frames a Space at `/`, and hands it the hash of its own address at the
 * first load only. So where we are goes into that hash, and is told to the frame's parent whenever it changes:
 * `huggingface.co/spaces/NAME#/episode/ID?seq=3` opens where it was copied.
 */

import { rooted, unrooted } from './root';

const PARENT = 'https://huggingface.co';
const FRAMED = '.hf.space';

/** Where `url`, the first of the page, leads: to the place in its hash, if one is there. */
export function entrance(url: URL): URL {
  if (!url.hash.startsWith('#/')) return url;
  const place = new URL(rooted(url.hash.slice(1)), url);
  return place.origin === url.origin ? place : url;
}

/** `url` as a place: its path and parameters, but for those of the parent's own, such as a signature. */
export function placeOf(url: URL): string {
  const search = new URLSearchParams([...url.searchParams].filter(([name]) => !name.startsWith('__'))).toString();
  return (unrooted(url.pathname) ?? url.pathname) + (search && `?${search}`);
}

/** Tell the parent where the page is. */
export function tellParent(url: URL): void {
  if (window.parent === window || !url.hostname.endsWith(FRAMED)) return;
  window.parent.postMessage({ queryString: '', hash: `#${placeOf(url)}` }, PARENT);
}
