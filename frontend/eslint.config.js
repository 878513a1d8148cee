import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

import { ZONES } from './layers.js';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'node_modules/', '**/*.gen.ts'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  importX.flatConfigs.typescript,
  {
    languageOptions: { globals: globals.browser },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // A reducer's copy without one key is most plainly made so.
      '@typescript-eslint/no-dynamic-delete': 'off',
      'no-console': ['error', { allow: ['error'] }],
    },
  },
  {
    // Tests may look up: a board's test folds its events as the page does.
    files: ['src/**'],
    ignores: ['**/*.test.ts', 'src/testing/**', 'src/boards/*/testing/**'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones: ZONES }] },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    files: ['scripts/*.mjs', '*.config.{js,ts}'],
    languageOptions: { globals: globals.node },
    rules: { 'no-console': 'off' },
  },
);
