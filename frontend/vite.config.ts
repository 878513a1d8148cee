import { readdirSync, readFileSync } from 'node:fs';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/**
 * Files that pages have in common, each a request: what both documents need at once, what shows a match, how a seat
 * answers, and what a seat holder or an operator does beside it. The router is in none: an embedded page has no other
 * pages.
 */
const GROUPS = [
  {
    name: 'core',
    test: /node_modules[\\/]|src[\\/](style\.css|lib[\\/]|net[\\/](?!router)|boards[\\/]([^\\/]+$|picture[\\/])|ui[\\/](Badge|Icon|Notice|Theme|playerName)|episode[\\/]|follow[\\/]followed)/,
    priority: 4,
  },
  { name: 'page', test: /src[\\/]main\.ts$/, priority: 3 },
  {
    name: 'show',
    test: /src[\\/](voice[\\/]|ui[\\/](Caption|ScoreStrip|Timeline)|follow[\\/]FollowButton)/,
    priority: 2,
  },
  { name: 'seat', test: /src[\\/]seat[\\/]/, priority: 2 },
  { name: 'controls', test: /src[\\/](controls[\\/](?!.*\.lazy)|ui[\\/](Checkbox|Field|NumberField))/, priority: 1 },
];

/** The files of tests, and those that replace a module by another: no other file may meet theirs. */
const TESTS = ['src/**/*.test.ts', '*.test.ts'];
const SRC = `${import.meta.dirname}/src`;
const REPLACING = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && readFileSync(`${SRC}/${name}`, 'utf8').includes('vi.mock('))
  .map((name) => `src/${name}`);

export default defineConfig({
  plugins: [svelte()],
  // The page may lie below the prefix of a proxy: the server says in <base> where its files are.
  base: './',
  build: {
    target: 'es2022',
    // Colours use light-dark(); browsers that the page supports know it, so nothing is rewritten.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    manifest: true,
    rollupOptions: {
      input: ['index.html', 'embed.html'],
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    proxy: {
      '/api': { target: 'http://127.0.0.1:8000', ws: true },
      '/embed/': { bypass: () => '/embed.html' },
    },
    // The fielding positions are the rules' own file, in games/.
    fs: { allow: ['..'] },
  },
  test: {
    environment: 'node',
    // Most files share what one of them has imported: each by itself, they would take more than twice the time.
    projects: [
      { extends: true, test: { name: 'shared', include: TESTS, exclude: REPLACING, isolate: false } },
      { extends: true, test: { name: 'alone', include: REPLACING } },
    ],
    // No test depends on the speed of the machine: these limits end only what hangs.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
