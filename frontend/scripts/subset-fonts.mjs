// Writes src/fonts: the characters that nearly every text needs, of the faces that the page shows first. The rest of each
// face is the file of @fontsource, which a browser fetches only for a page that has other characters.

import { mkdir, readFile, writeFile } from 'node:fs/promises';

import subsetFont from 'subset-font';

const ROOT = new URL('../', import.meta.url);
/** First and last character of each range; src/fonts.css has the same ones. */
const BASIC = [
  [0x20, 0x7e],
  [0xa0, 0xa0],
  [0xb0, 0xb1],
  [0xb7, 0xb7],
  [0xd7, 0xd7],
  [0x2009, 0x2009],
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026, 0x2026],
  [0x202f, 0x202f],
  [0x2212, 0x2212],
];
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

const text = BASIC.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
).join('');
await mkdir(new URL('src/fonts/', ROOT), { recursive: true });
for (const [family, weight] of FACES) {
  const face = new URL(`node_modules/@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`, ROOT);
  const subset = await subsetFont(await readFile(face), text, OPTIONS);
  await writeFile(new URL(`src/fonts/${family}-basic-${weight}.woff2`, ROOT), subset);
}
