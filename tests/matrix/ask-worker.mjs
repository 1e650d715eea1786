// Prints what a built Worker answers at `/`, as one line. Arguments: the folder of its modules, and the one to start with.
import { Miniflare } from 'miniflare';
import { readdirSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

const [folder, main] = process.argv.slice(2);
const modulesRoot = resolve(folder);
const TYPES = { '.js': 'ESModule', '.mjs': 'ESModule', '.wasm': 'CompiledWasm' };
const names = readdirSync(modulesRoot, { recursive: true }).filter((name) => extname(name) in TYPES);
const worker = new Miniflare({
  modulesRoot,
  modules: [main, ...names.filter((name) => name !== main)].map((name) => ({
    type: TYPES[extname(name)],
    path: join(modulesRoot, name),
  })),
  compatibilityDate: '2025-09-15',
  compatibilityFlags: ['nodejs_compat'],
});
const response = await worker.dispatchFetch('http://localhost/');
console.log((await response.text()).replaceAll(/\s+/g, ' '));
await worker.dispose();
