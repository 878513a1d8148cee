import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

/** The widths and heights in pixels at which a layout may change: the smallest phones, phones, tablets, desktops, televisions. */
const WIDTHS = new Set(['360', '600', '900', '1200', '1600']);
const HEIGHTS = new Set(['360', '500']);

/** SVG drawings with units of their own, in which the size of text is one of those units. */
const DRAWINGS = new Set([
  'boards/cricket/ground/Path.svelte',
  'boards/cricket/panels/PitchMap.svelte',
  'boards/cricket/panels/Wagon.svelte',
  'boards/diplomacy/panels/Centers.svelte',
  'boards/diplomacy/pieces/Piece.svelte',
]);

/** The colours of the games' pictures, and those that are derived from a number. */
const PALETTES = new Set([
  'boards/cricket/ground/grass.ts',
  'boards/cricket/sides.ts',
  'boards/diplomacy/map/palette.ts',
  'boards/picture/palette.ts',
  'lib/chart/hue.ts',
]);

const FONT = /^font(-size)?: (inherit|var\(--(type|size)-\w+\))$/;
const DRAWN = /^font(-size)?: (\d+ )?[\d.]+px( ?\/ ?1)?( var\(--sans\))?$/;
const HEX = '(?<![\\w.&])#(?:[\\da-f]{3}){1,2}\\b(?![\\w(.-])';
const FUNCTION = '\\b(?:rgba?|hsla?|oklch|oklab)\\((?![^)]*var\\()|\\blight-dark\\((?!\\))';
const COLOUR = new RegExp(`${HEX}|${FUNCTION}`, 'i');
const NAMED = /[\s:(,](white|black)\b(?!-)/;

/** Return the lines, declarations and conditions of the file at `path` that are outside the scales of style.css. */
function outside(path: string, text: string): string[] {
  const styles = path.endsWith('.svelte') ? (/<style[^>]*>.*<\/style>/s.exec(text)?.[0] ?? '') : '';
  const css = (path.endsWith('.css') ? text : styles).replace(/\/\*.*?\*\//gs, '').replace(/\s+/g, ' ');
  const code = path.endsWith('.css') || PALETTES.has(path) ? '' : text.replace(styles, '');
  const faults = code.split('\n').filter((line) => COLOUR.test(line));
  for (const [, declaration = ''] of css.matchAll(/[{;] ?([\w-]+: [^{};]+)(?=;)/g)) {
    const token = path === 'style.css' && declaration.startsWith('--');
    const font = FONT.test(declaration) || (DRAWINGS.has(path) && DRAWN.test(declaration));
    if (/^font(-size)?:/.test(declaration) && !font) faults.push(declaration);
    if (declaration.startsWith('font-weight:') && !/: (400|600|inherit)$/.test(declaration)) faults.push(declaration);
    if (!token && (COLOUR.test(declaration) || NAMED.test(declaration))) faults.push(declaration);
  }
  for (const [query] of css.matchAll(/@(?:media|container) [^{]+(?= \{)/g))
    for (const [, side, size = '', rem] of query.matchAll(/(width|height)\b[^\d)]*([\d.]+)(rem)?/g))
      if (!(side === 'width' ? WIDTHS : HEIGHTS).has(String(Number(size) * (rem ? 16 : 1)))) faults.push(query);
  return faults;
}

it('keeps the fonts, colours and breakpoints of the page to those of style.css', () => {
  const faults = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(svelte|css|ts)$/.test(name) && !/fonts\.css$|\.(gen|test)\.ts$/.test(name))
    .flatMap((name) => outside(name, readFileSync(join('src', name), 'utf8')).map((fault) => `${name}: ${fault}`));
  expect(faults).toEqual([]);
});

it.each([
  ['font: 500 1.1rem/1.2 var(--serif)', 1],
  ['font: var(--type-small)', 0],
  ['font-size: 0.8125rem', 1],
  ['font-size: 5px', 1],
  ['font-size: var(--size-2)', 0],
  ['font-weight: 700', 1],
  ['color: #fff', 1],
  ['color: white', 1],
  ['white-space: nowrap', 0],
  ['background: rgb(0 0 0 / 0.3)', 1],
  ['background: oklch(0.62 0.1 var(--hue))', 0],
  ['--rim: light-dark(var(--ink), var(--paper))', 1],
  ['fill: var(--ink)', 0],
])('judges `%s`', (declaration, count) => {
  expect(outside('match/Planted.svelte', `<style>\n  p {\n    ${declaration};\n  }\n</style>`)).toHaveLength(count);
});

it.each([
  ['@media (width < 600px)', 0],
  ['@container (width < 37.5rem)', 0],
  ['@container (width < 30rem)', 1],
  ['@media (width < 640px)', 1],
  ['@container (width >= 900px) and (height < 480px)', 1],
  ['@media (pointer: coarse)', 0],
  ['@media (aspect-ratio >= 4/3)', 0],
])('judges `%s`', (query, count) => {
  expect(outside('planted.css', `${query} {\n  p {\n    margin: 0;\n  }\n}`)).toHaveLength(count);
});

it.each([
  ['boards/cricket/planted.ts', "const POLE = '#d5dfcd';", 1],
  ['boards/cricket/ground/grass.ts', "const POLE = '#d5dfcd';", 0],
  ['boards/Planted.svelte', '<rect fill="rgb(0 0 0 / 0.5)" />', 1],
  ['boards/Planted.svelte', '{#each rows as row (row)}<use href="#add-row" />{/each}', 0],
  ['boards/planted.ts', 'this.#add(line); // with `light-dark()`', 0],
])('judges the colours of %s: %s', (path, text, count) => {
  expect(outside(path, text)).toHaveLength(count);
});

it('lets the text of a drawing be sized in its own units', () => {
  const css = '<style>\n  text {\n    font: 600 5.2px var(--sans);\n  }\n</style>';
  expect(outside('boards/diplomacy/panels/Centers.svelte', css)).toEqual([]);
  expect(outside('boards/diplomacy/panels/Legend.svelte', css)).toHaveLength(1);
});
