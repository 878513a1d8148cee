import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

import { ESLint } from 'eslint';
import { describe, expect, it, vi } from 'vitest';

import { LAYERS, ZONES } from './layers.js';

// The first file that ESLint reads loads its plugins.
vi.setConfig({ testTimeout: 120_000 });

const RULE = 'import-x/no-restricted-paths';
const eslint = new ESLint({ cwd: import.meta.dirname });

/** Return the paths of the imports that ESLint forbids in a file at `path`, of which only the text exists. */
async function forbidden(path: string, imports: readonly string[]): Promise<number[]> {
  const from = join(path, '..');
  const code = imports.map((other) => {
    const specifier = relative(from, other).replace(/(?<=\.svelte)\.ts$|(?<!\.svelte)\.ts$/, '');
    return `import '${specifier.startsWith('.') ? specifier : `./${specifier}`}';`;
  });
  const script = path.endsWith('.svelte') ? `<script lang="ts">\n${code.join('\n')}\n</script>` : code.join('\n');
  const [result] = await eslint.lintText(script, { filePath: join(import.meta.dirname, path) });
  const first = path.endsWith('.svelte') ? 2 : 1;
  return (result?.messages ?? []).filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line - first);
}

/** Return one module in `path`, or `path` itself where it is a file. */
function moduleIn(path: string): string {
  if (statSync(path).isFile()) return path;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  const file = files.find((name) => /\.(ts|svelte)$/.test(name) && !/\.(test|gen)\.ts$/.test(name));
  return join(path, file ?? '');
}

it('knows every folder of the page', () => {
  const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(LAYERS.flat().sort()).toEqual(
    folders
      .map(({ name }) => name)
      .filter((name) => name !== 'fonts' && name !== 'testing')
      .sort(),
  );
});

describe.each(ZONES)('the import rule for $target', ({ target, from }) => {
  const targets = [target].flat();

  it('names files and folders that exist', () => {
    for (const path of [...targets, ...from]) expect(existsSync(path), path).toBe(true);
  });

  it.each(targets)('reports every forbidden import planted in %s', async (path) => {
    const modules = from.map(moduleIn);
    const folder = statSync(path).isDirectory();
    for (const planted of folder ? [join(path, 'Planted.svelte'), join(path, 'planted.ts')] : [path])
      expect(await forbidden(planted, modules), basename(planted)).toEqual(modules.map((_, index) => index));
  });
});

describe('the import rules', () => {
  it('let a page import from every layer below it', async () => {
    const below = [
      'lib/text.ts',
      'net/api.ts',
      'boards/board.ts',
      'episode/record/store.ts',
      'ui/Badge.svelte',
      'types.gen.ts',
    ];
    expect(
      await forbidden(
        'src/match/planted.ts',
        below.map((file) => `src/${file}`),
      ),
    ).toEqual([]);
  });
});
