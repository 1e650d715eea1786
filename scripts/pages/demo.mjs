// `npm run demo:build`: the interactive page as static files in demo/dist, for any web server or pages host, under any
// path; and beside them demo/dist/cuckoo-filter.html, the same in one file that opens by a double click.
// Invariant: prints the sizes of what it built, each beside its limit, and fails if one is over.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import { bootstrap } from '../bootstrap.mjs';
import { build } from '../build.mjs';
import { root, say } from '../run.mjs';

const demo = join(root, 'demo');

/** Builds both forms; the package must have been built. */
export async function buildDemo() {
  const vite = await import('vite');
  await vite.build({ root: demo, logLevel: 'warn' });
  await vite.build({ root: demo, logLevel: 'warn', mode: 'single' });
}

/** Bytes after gzip, and the most that they may be. */
function sizes() {
  const folder = join(demo, 'dist');
  const packed = (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name);
  const sum = (names) => names.reduce((bytes, name) => bytes + packed(name), 0);
  const parts = readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`);
  const scenes = parts.filter((name) => !first.includes(name) && !/\/zh/.test(name));
  return [
    ['JavaScript and WebAssembly at first load', sum(first.filter((name) => name.endsWith('.js'))), 79_500],
    ['styles at first load', sum(first.filter((name) => name.endsWith('.css'))), 8_000],
    ['all at first load', sum([...first, 'index.html', 'icon.svg']), 86_500],
    ['largest part loaded later', Math.max(...scenes.map(packed)), 8_000],
    ['the single file', packed('cuckoo-filter.html'), 260_000],
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { env } = await bootstrap(['npm', 'wasm']);
  await build(env);
  say('building the demo');
  await buildDemo();
  for (const [name, bytes, most] of sizes()) {
    console.log(`${name.padEnd(44)} ${String(bytes).padStart(8)} of ${most} bytes, gzipped`);
    if (bytes > most) process.exitCode = 1;
  }
}
