// What benches of string keys share: the keys, a loop for each contender, and the filters from npm in tests/bench/peers.
// Invariant: key i is the same string in every bench.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { use } from '../timing.mjs';
import { isChosen } from '../workload.mjs';

/**
 * A loop of its own for each contender, so that the engine compiles each as it does a program's own loop: calls `method` of
 * `it` with each key, and returns the nanoseconds that one takes.
 */
export function loopOf(method) {
  const loop = new Function(
    'it',
    'keys',
    `
    let yes = 0;
    for (let i = 0; i < keys.length; ++i) if (it.${method}(keys[i])) ++yes;
    return yes;`,
  );
  return (it, keys) => {
    const start = performance.now();
    const yes = loop(it, keys);
    const spent = performance.now() - start;
    use(yes);
    return (spent * 1e6) / keys.length;
  };
}

/** A key of 13 characters. */
export const stringOf = (i) => `user:${10_000_000 + i}`;

/** These keys as strings that no program has seen: their hash is not known to the engine. */
export function fresh(numbers) {
  // From bytes, as a string that was joined of others is not flat.
  const bytes = Buffer.from(numbers.map(stringOf).join(''), 'latin1');
  return numbers.map((_, i) => bytes.latin1Slice(13 * i, 13 * i + 13));
}

/** `count` numbers, of which half are from 0 to `count` - 1. */
export const mixed = (count) =>
  Array.from({ length: count }, (_, i) => (isChosen(i) ? (i * 7919) % count : count + i));

/** What `make` makes of a module of tests/bench/peers, or undefined, which is said, if it is not installed. */
export async function peer(name, make) {
  try {
    const folder = join(fileURLToPath(new URL('../peers/node_modules', import.meta.url)), name);
    const { main, exports: exported } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const entry = typeof exported === 'string' ? exported : (exported?.['.']?.import ?? main ?? 'index.js');
    const module = await import(pathToFileURL(join(folder, entry)).href);
    return make({ ...module.default, ...module });
  } catch (error) {
    console.log(`${name} is left out: ${error.message.split('\n')[0]}`);
    return undefined;
  }
}
