// Fails where what the browser must load before it shows anything is over the budget. Boards are lazy and not counted.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 150_000;
const DIST = new URL('../dist/', import.meta.url);

/** @type {Record<string, {file: string, isEntry?: boolean, imports?: string[], css?: string[]}>} */
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', DIST), 'utf8'));

/**
 * @param {string} name
 * @param {Set<string>} files
 */
function collect(name, files) {
  const chunk = manifest[name];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  chunk.css?.forEach((file) => files.add(file));
  chunk.imports?.forEach((other) => collect(other, files));
}

for (const document of ['index.html', 'embed.html']) {
  const files = new Set([document, 'theme.js']);
  collect(document, files);
  let total = 0;
  for (const file of files) total += gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length;
  console.log(`${document}: ${(total / 1000).toFixed(1)} kB of ${BUDGET / 1000} kB gzipped (${files.size} files)`);
  if (total > BUDGET) process.exit(1);
}
