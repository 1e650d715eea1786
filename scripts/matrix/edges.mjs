// The rows of `npm run test:matrix` that are applications built for Cloudflare and other edges. Each is a folder of
// tests/matrix/edge. Invariant: what was built answers a request: Workers in Cloudflare's own runtime, functions in Node.
import { rm } from 'node:fs/promises';

import { expected, file, newNode, tool } from './place.mjs';

Object.assign(process.env, {
  ASTRO_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
});

const VITE = ['vite/bin/vite.js', 'build'];
const WRANGLER = [
  'wrangler/bin/wrangler.js',
  'deploy',
  '--dry-run',
  '--outdir',
  'out',
  '--config',
  'wrangler.json',
];
const ANGULAR = ['@angular/cli/bin/ng.js', 'build'];

/** The row of a preset of Nitro, which `program` builds. */
const nitro = (name, preset, program, ...made) => [
  `${name}, ${preset}`,
  program.split('/')[0],
  name.split(' ')[0].toLowerCase(),
  [[program, 'build', '--preset', preset]],
  ...made,
];
const NITRO = 'nitropack/dist/cli/index.mjs';

/**
 * The name of a row, the tool whose version it shows, its folder, the calls that build it; and what they make: the
 * folder and the first module of a Worker, or the file of a function alone.
 */
const APPS = [
  ['wrangler, a Worker with Hono', 'wrangler', 'hono', [WRANGLER], 'out', 'worker.js'],
  ["Cloudflare's plugin for Vite", '@cloudflare/vite-plugin', 'hono', [VITE], 'dist/worker', 'index.js'],
  nitro('Nitro 2', 'cloudflare_module', NITRO, '.output/server', 'index.mjs'),
  nitro('Nitro 2', 'cloudflare_pages', NITRO, 'dist/_worker.js', 'index.js'),
  nitro('Nitro 2', 'vercel_edge', NITRO, '.vercel/output/functions/__fallback.func/index.mjs'),
  nitro('Nitro 2', 'netlify_edge', NITRO, '.netlify/edge-functions/server/server.js'),
  nitro('Nitro 3', 'cloudflare_module', 'nitro/dist/cli/index.mjs', '.output/server', 'index.mjs'),
  nitro('Nuxt', 'cloudflare_module', 'nuxt/bin/nuxt.mjs', '.output/server', 'index.mjs'),
  ['SvelteKit on Cloudflare', '@sveltejs/kit', 'sveltekit', [VITE, WRANGLER], 'out', '_worker.js'],
  ['Astro on Cloudflare', 'astro', 'astro', [['astro/bin/astro.mjs', 'build']], 'dist/server', 'entry.mjs'],
  [
    'React Router on Cloudflare',
    '@react-router/dev',
    'react-router',
    [['@react-router/dev/bin.cjs', 'build']],
    'build/server',
    'index.js',
  ],
  ['TanStack Start on Cloudflare', '@tanstack/react-start', 'tanstack', [VITE], 'dist/server', 'index.js'],
  [
    'Angular, for the browser, rendered in Node',
    '@angular/build',
    'angular',
    [ANGULAR],
    'dist/server/server.mjs',
  ],
  [
    'Angular on Cloudflare',
    '@angular/build',
    'angular',
    [[...ANGULAR, '--configuration', 'edge'], WRANGLER],
    'out',
    'worker.js',
  ],
];

async function edge(name, calls, output, main) {
  const app = (...names) => file('edge', name, ...names);
  await rm(app(output), { recursive: true, force: true });
  for (const [program, ...args] of calls) await newNode(app(), tool(program), ...args);
  const answer = await (main === undefined
    ? newNode(app(), file('ask-function.mjs'), app(output))
    : newNode(app(), file('ask-worker.mjs'), app(output), main));
  return answer.includes(expected) ? expected : answer;
}

export const EDGES = APPS.map(([name, version, folder, ...rest]) => ({
  name,
  version,
  attempt: () => edge(folder, ...rest),
}));
