/**
 * A recorded cricket match as the page words it, in Markdown:
 *
 *   node frontend/scripts/transcript.mjs RECORD.jsonl
 *
 * The record is one that `grandstand play cricket --out FOLDER` writes. Fields and plans are left out.
 */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const record = process.argv[2];
if (!record) throw new Error('name the record: node frontend/scripts/transcript.mjs RECORD.jsonl');

const LEFT_OUT = new Set([
  'FieldSet',
  'OverPlanned',
  'PlanJudged',
  'SituationAnalyzed',
  'BatterArrived',
  'BowlerChosen',
]);

const root = fileURLToPath(new URL('..', import.meta.url));
const server = await createServer({
  root,
  configFile: `${root}/vite.config.ts`,
  server: { middlewareMode: true, hmr: false, ws: false },
  appType: 'custom',
  logLevel: 'error',
});
try {
  const { game } = await server.ssrLoadModule('/src/boards/cricket/game.ts');
  const { EMPTY } = await server.ssrLoadModule('/src/boards/cricket/state.ts');
  let state = EMPTY;
  for (const line of readFileSync(record, 'utf8').trim().split('\n')) {
    const event = JSON.parse(line);
    const words = LEFT_OUT.has(event.type) ? '' : game.tell(event, state).text;
    state = game.step(state, event);
    const text = markdown(event.type, words);
    if (text) process.stdout.write(`${text}\n`);
  }
} finally {
  await server.close();
}

/**
 * @param {string} type
 * @param {string} words
 */
function markdown(type, words) {
  if (!words) return '';
  if (type === 'InningsStarted' || type === 'SuperOverStarted') return `\n## ${words}\n`;
  if (type === 'OverEnded') return `\n*${words}*\n`;
  if (type === 'MatchDecided' || type === 'InningsEnded') return `\n**${words}**`;
  return `- ${words.replace(/\b(OUT|FOUR|SIX)\b/, '**$1**')}`;
}
