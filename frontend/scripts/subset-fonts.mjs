// Writes src/fonts: the characters that nearly every text needs, of the faces that the page shows first. The rest of each
// face is the file of @fontsource, which a browser fetches only for a page that has other characters.

import { mkdir, readFile, writeFile } from 'node:fs/promises';

import subsetFont from 'subset-font';

const ROOT = new URL('../', import.meta.url);
/** The characters, as in src/fonts.css. */
const BASIC =
  'U+20-7E, U+A0, U+B0-B1, U+B7, U+D7, U+2009, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+202F, U+2212';
const OPTIONS = {
  targetFormat: 'woff2',
  noHinting: true,
  keepFeatures: ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'liga', 'calt', 'tnum', 'lnum'],
};
const FACES = [
  ['barlow-semi-condensed', 400],
  ['barlow-semi-condensed', 600],
  ['spectral', 500],
];

const text = BASIC.split(', ')
  .flatMap((range) => {
    const [first = 0, last = first] = range
      .slice(2)
      .split('-')
      .map((number) => parseInt(number, 16));
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  })
  .join('');
await mkdir(new URL('src/fonts/', ROOT), { recursive: true });
for (const [family, weight] of FACES) {
  const face = new URL(`node_modules/@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`, ROOT);
  const subset = await subsetFont(await readFile(face), text, OPTIONS);
  await writeFile(new URL(`src/fonts/${family}-basic-${weight}.woff2`, ROOT), subset);
}
