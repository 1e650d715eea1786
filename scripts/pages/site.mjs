// `npm run site`: the documents as static pages in site/dist, for any web server: with search, both languages, examples that
// run on the package, and the demo below learn/. SITE_BASE names the path it will have, such as /cuckoofilter-wasm/.
// Invariant: prints the sizes of what it built, each beside its limit, and fails if one is over.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { bootstrap } from '../bootstrap.mjs';
import { provideNpmPackages } from '../bootstrap/npm.mjs';
import { build } from '../build.mjs';
import { root, run, say } from '../run.mjs';
import { buildDemo } from './demo.mjs';

const site = join(root, 'site');
const dist = join(site, 'dist');

/** Builds the pages into `folder`; the package, and the demo in the folder `demo`, must have been built. */
export async function buildSite(env, folder = dist, demo = join(root, 'demo/dist')) {
  await provideNpmPackages(site);
  const vitepress = join(site, 'node_modules/vitepress/bin/vitepress.js');
  await run(process.execPath, [vitepress, 'build', site, '--outDir', folder], { env, onlyIfFailed: true });
  cpSync(demo, join(folder, 'learn'), { recursive: true });
  const esm = join(root, 'dist/esm');
  const scripts = readdirSync(esm).filter((name) => name.endsWith('.js'));
  for (const name of scripts) cpSync(join(esm, name), join(folder, 'package', name));
}

/** Bytes after gzip, and the most that they may be. */
function sizes() {
  const packed = (name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
  const html = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="[^"]*?(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, name]) => name,
  );
  const sum = (names) => [...new Set(names)].reduce((bytes, name) => bytes + packed(name), 0);
  const searched = readdirSync(join(dist, 'assets/chunks'))
    .filter((name) => name.startsWith('@localSearchIndexroot'))
    .map((name) => `assets/chunks/${name}`);
  return [
    ['the start page with its scripts and styles', sum([...first, 'index.html']), 95_000],
    // More than half of it is the reference, which one searches most.
    ['what the search loads', sum(searched), 110_000],
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { env } = await bootstrap(['npm', 'wasm']);
  await build(env);
  say('building the demo');
  await buildDemo();
  say('building the site');
  await buildSite(env);
  for (const [name, bytes, most] of sizes()) {
    console.log(`${name.padEnd(44)} ${String(bytes).padStart(8)} of ${most} bytes, gzipped`);
    if (bytes > most) process.exitCode = 1;
  }
}
