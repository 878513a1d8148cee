import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

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
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            {
              target: './src/{stream,log,moments,playback}.ts',
              from: './src/{boards,match,lobby,ui}',
              message: 'The stream and its store know no board and no component.',
            },
            {
              target: './src/boards',
              from: './src/{match,lobby}',
              message: 'A board knows the seam in boards/board.ts, not the page around it.',
            },
          ],
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // A reducer's copy without one key is most plainly made so.
      '@typescript-eslint/no-dynamic-delete': 'off',
      'no-console': ['error', { allow: ['error'] }],
    },
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
