// What benches of string keys share: the keys, a loop for each contender, and the filters from npm in tests/bench/peers.
// Invariant: key i is the same string in every bench, and no loop branches on an answer: the processor would guess every
// second one wrong, which costs more than some lookups.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { fail, use } from '../timing.mjs';
import { isChosen } from '../workload.mjs';

/** Asks `it.method` about each key, and returns the number of yeses. */
export const asking = (method) => loopOf(`sum += Number(it.${method}(key));`);

/** Calls `it.method` with each key; a filter that throws when it is full, as some do, goes on. */
export const calling = (method) => loopOf(`try { it.${method}(key); } catch { ++sum; }`);

/** A loop of its own for each contender, so that the engine compiles each as it does a program's own loop. */
function loopOf(step) {
  return new Function(
    'it',
    'keys',
    `
    let sum = 0;
    for (let i = 0; i < keys.length; ++i) { const key = keys[i]; ${step} }
    return sum;`,
  );
}

/** Nanoseconds that `loop` takes for one of the keys. */
export function timed(loop, it, keys) {
  const start = performance.now();
  const sum = loop(it, keys);
  const spent = performance.now() - start;
  use(sum);
  return (spent * 1e6) / keys.length;
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

/** The module of a peer, from tests/bench/peers or the folder that `--NAME=FOLDER` names. */
export async function peer(name) {
  const given = process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
  const installed = fileURLToPath(new URL(`../peers/node_modules/${name}`, import.meta.url));
  const folder = given === undefined ? installed : resolve(given);
  try {
    const { version, main, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const entry = typeof exports === 'string' ? exports : (exports?.['.']?.import ?? main ?? 'index.js');
    const module = await import(pathToFileURL(join(folder, entry)).href);
    console.log(`${name} ${version}${given === undefined ? '' : `, from ${given}`}`);
    // What CommonJS exports may lie behind `default` alone.
    return { ...module.default, ...module };
  } catch (error) {
    const how =
      given === undefined ? 'Run npm ci --prefix tests/bench/peers' : 'Give the folder of its package.json';
    return fail(`${name} cannot be loaded (${error.message.split('\n')[0]}). ${how}.`);
  }
}
