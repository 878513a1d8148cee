/**
 * Deep links of a page in a frame. huggingface.co shows a Space at `/` in a frame, and passes the hash of its own
 * address at the first load only. The page therefore sends its location to the frame's parent, which puts it into that
 * hash: `huggingface.co/spaces/NAME#/episode/ID?seq=3` opens that moment.
 */

import { rooted, unrooted } from './root';

const PARENT = 'https://huggingface.co';
const FRAMED = '.hf.space';

/** Return the location that the first address of the page stands for: at `/`, the one in its hash, if there is one. */
export function entrance(url: URL): URL {
  if (unrooted(url.pathname) !== '/' || !url.hash.startsWith('#/')) return url;
  const place = new URL(rooted(url.hash.slice(1)), url);
  return place.origin === url.origin ? place : url;
}

/** Return path and parameters of `url`, without the parameters of the parent, such as a signature. */
export function placeOf(url: URL): string {
  const search = new URLSearchParams([...url.searchParams].filter(([name]) => !name.startsWith('__'))).toString();
  return (unrooted(url.pathname) ?? url.pathname) + (search && `?${search}`);
}

/** Send the page's location to the parent. */
export function tellParent(url: URL): void {
  if (window.parent === window || !url.hostname.endsWith(FRAMED)) return;
  window.parent.postMessage({ queryString: '', hash: `#${placeOf(url)}` }, PARENT);
}
