import { join } from 'node:path';

import { ESLint } from 'eslint';
import { describe, expect, it, vi } from 'vitest';

// The first file that ESLint reads loads its plugins.
vi.setConfig({ testTimeout: 120_000 });

const RULE = 'id-denylist';
const TYPED = '<script lang="ts"></script>';
const eslint = new ESLint({ cwd: import.meta.dirname });

/** Return the lines of `code` in which ESLint refuses a name, as if `code` were the page's file `name`. */
async function refused(name: string, code: string): Promise<number[]> {
  const [result] = await eslint.lintText(code, { filePath: join(import.meta.dirname, 'src', 'match', name) });
  const messages = result?.messages ?? [];
  expect(messages.filter(({ fatal }) => fatal)).toEqual([]);
  return [...new Set(messages.filter(({ ruleId }) => ruleId === RULE).map(({ line }) => line))];
}

describe('a name that says nothing of what it holds', () => {
  it.each([
    'export const found = 1;',
    'export const [, given] = [1, 2];',
    'export const heard = ({ length: one }: string) => one;',
    'export const f = (one: number) => 0 * one;',
    'export function told(): void {}',
    'export const f = { said: 1 };',
    'export const f = { seen() {} };',
    'export interface F { told: number }',
    'export interface F { told(): number }',
    'export class F { #heard = 1; }',
    'export class F { said(): void {} }',
    'export enum F { seen }',
    'try { f(); } catch (said) { f(said); }',
    "import { plain as told } from '../lib/text';",
  ])('is refused in a script: %s', async (code) => {
    expect(await refused('planted.ts', code)).toEqual([1]);
    expect(await refused('planted.svelte.ts', code)).toEqual([1]);
    expect(await refused('Planted.svelte', `<script lang="ts">\n${code}\n</script>`)).toEqual([2]);
  });

  it.each([
    '{#each rows as one (one)}{one}{/each}',
    '{#each rows as row, seen (row)}{row}{seen}{/each}',
    '{#each rows as [said, { length: told }, ...heard] (said)}{said}{told}{heard}{/each}',
    '{#await loading then found}{found}{:catch}{/await}',
    '{#await loading}{:then}{:catch said}{said}{/await}',
    '{#if rows}{@const given = rows.length}{given}{/if}',
    '{#snippet told()}{/snippet}',
    '{#snippet row(one: number)}{one}{/snippet}',
    '<button onclick={(heard) => choose(heard)}>A button</button>',
    '<Child said={(one: number) => 2 * one} />',
  ])('is refused in a template: %s', async (code) => {
    expect(await refused('Planted.svelte', `${TYPED}\n${code}`)).toEqual([2]);
  });

  it.each([
    '{#each rows as row (row)}{row.one}{row["told"]}{/each}',
    '<p class="said" class:told={true} style:--seen="1">one</p>',
    '<!-- What one has heard. -->',
  ])('may be one of others, a style or a word: %s', async (code) => {
    expect(await refused('Planted.svelte', `${TYPED}\n${code}`)).toEqual([]);
  });
});
