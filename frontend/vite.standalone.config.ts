/** The build of the page for `grandstand export --format html`: one script and one style sheet, fonts included. */

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    outDir: 'dist/standalone',
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    rollupOptions: {
      input: 'src/standalone.ts',
      output: { codeSplitting: false, entryFileNames: 'page.js', assetFileNames: 'page[extname]' },
    },
  },
});
