// What race.mjs and scale.mjs share: 64-bit keys, blocks of them added, and the native program that runs the same
// workloads (race.cpp). Invariant: making keys is not timed; key i is another for every i, and looks random.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { use } from './timing.mjs';

/** Keys that are looked up at once, as in race.h. */
export const ASKED = 2 ** 21;

/** `addMany` in blocks that are made before the clock starts. */
export function fillPackage(filter, count) {
  filter.clear();
  let spent = 0;
  for (let first = 0; first < count; first += 65_536) {
    const block = keys(first, Math.min(65_536, count - first));
    spent += time(1, () => filter.addMany(block));
  }
  return spent / count;
}

/** Keys to ask a filter of the keys 0 to `count` - 1: every second one is there, in random order. */
export function askedKeys(count) {
  const numbers = new Float64Array(ASKED);
  for (let i = 0; i < ASKED; ++i) numbers[i] = i % 2 === 0 ? mixed(i) % count : count + i;
  return keysOf(numbers);
}

export function keys(first, count) {
  return keysOf(Float64Array.from({ length: count }, (_, i) => first + i));
}

/** For each number a key that looks random and is another for every number. */
function keysOf(numbers) {
  const halves = new Uint32Array(2 * numbers.length);
  numbers.forEach((number, i) => {
    halves[2 * i] = number;
    halves[2 * i + 1] = mixed(number);
  });
  return new BigUint64Array(halves.buffer);
}

function mixed(i) {
  const once = Math.imul(i ^ (i >>> 16), 0x21f0aaad);
  return Math.imul(once ^ (once >>> 15), 0x735a2d97) >>> 0;
}

/** The native program, which answers each line with a number. */
export function startNative(program) {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (command) => {
      child.stdin.write(`${command}\n`);
      return Number((await lines.next()).value);
    },
    end: () => child.stdin.end(),
  };
}

/** Nanoseconds of `act` over `count`; its result is used. */
export function time(count, act) {
  const start = performance.now();
  use(act());
  return ((performance.now() - start) * 1e6) / count;
}
