// JSON Schema on stdin, TypeScript on stdout. Called by scripts/generate_types.py.
import { readFileSync } from 'node:fs';

import { compile } from 'json-schema-to-typescript';

const REFERENCE_NOTE = /(?: \*\n)? \* This interface was referenced by [^\n]*\n \* via the `definition` [^\n]*\n/g;
const EMPTY_COMMENT = /\/\*\*\n \*\/\n/g;

const { schema, name, header } = JSON.parse(readFileSync(0, 'utf8'));
const types = await compile(schema, name, {
  bannerComment: header,
  additionalProperties: false,
  unreachableDefinitions: true,
  style: { printWidth: 120, singleQuote: true },
});
process.stdout.write(types.replace(REFERENCE_NOTE, '').replace(EMPTY_COMMENT, ''));
