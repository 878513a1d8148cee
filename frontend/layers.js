import { existsSync, readdirSync } from 'node:fs';

/**
 * The folders of `src/`, lowest first. A file imports from its own folder and from lower layers; folders that share a
 * layer do not import each other. `types.gen.ts` and the entry point lie in `src/` itself.
 */
export const LAYERS = [
  ['lib'],
  ['net'],
  ['seat', 'report'],
  ['boards'],
  ['episode'],
  ['ui'],
  ['audience'],
  ['controls', 'follow', 'predict', 'takeaway', 'voice'],
  ['share'],
  ['lobby', 'match', 'compare'],
  ['campaign', 'cockpit', 'pages', 'sandbox', 'tv'],
];

const ENTRY = ['./src/App.svelte', './src/main.ts', './src/embedded.ts', './src/standalone.ts', './src/testing'];
/** The games: the folders of `boards/` that hold a board. */
const GAMES = readdirSync(new URL('./src/boards', import.meta.url)).filter((name) =>
  existsSync(new URL(`./src/boards/${name}/index.ts`, import.meta.url)),
);
const src = (/** @type {string} */ folder) => `./src/${folder}`;

/** @type {{ target: string | string[]; from: string[]; message: string }[]} */
export const ZONES = [
  ...LAYERS.flatMap((layer, level) =>
    layer.map((folder) => ({
      target: src(folder),
      from: [
        ...LAYERS.slice(level)
          .flat()
          .filter((other) => other !== folder)
          .map(src),
        ...ENTRY,
      ],
      message: `${folder}/ may import only from lower layers: see layers.js.`,
    })),
  ),
  ...[
    { target: './src/embedded.ts', from: ['./src/App.svelte', './src/net/router.svelte.ts'] },
    { target: './src/share/Embed.svelte', from: ['./src/net/router.svelte.ts'] },
  ].map((zone) => ({ ...zone, message: 'The embedded page has no other pages: any site may frame it.' })),
  {
    target: ['feed/stream', 'feed/history', 'record/store', 'record/steps'].map((name) => `./src/episode/${name}.ts`),
    from: ['./src/boards'],
    message: 'The stream and its store know no board.',
  },
  ...GAMES.map((game) => ({
    target: src(`boards/${game}`),
    from: [
      ...GAMES.filter((other) => other !== game).map((other) => src(`boards/${other}`)),
      './src/boards/registry.ts',
    ],
    message: 'A board knows its own game, the interfaces in boards/game.ts and boards/board.ts, and pictures.',
  })),
];
