// What race.mjs and scale.mjs share: 64-bit keys, blocks of them added, and the native program that runs the same
// workloads (race.cpp). Invariant: making keys is not timed; key i is another for every i, and looks random.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { fail, use } from './timing.mjs';

/** Keys that are looked up at once, as in race.h. */
export const ASKED = 2 ** 21;

const block = new BigUint64Array(65_536);

/** `addMany` in blocks that are made before the clock starts, all in the same place, as race.h makes them. */
export function fillPackage(filter, count) {
  filter.clear();
  let spent = 0;
  for (let first = 0; first < count; first += block.length) {
    const made = block.subarray(0, Math.min(block.length, count - first));
    fill(made, (i) => first + i);
    spent += time(1, () => filter.addMany(made));
  }
  return spent / count;
}

/** Keys to ask a filter of the keys 0 to `count` - 1: half of them are there, which ones is random (see race.h). */
export function askedKeys(count) {
  const asked = new BigUint64Array(ASKED);
  fill(asked, (i) => (isChosen(i) ? mixed(i) % count : count + i));
  return asked;
}

/** The keys from `first` to `first + count - 1`. */
export function keys(first, count) {
  const made = new BigUint64Array(count);
  fill(made, (i) => first + i);
  return made;
}

/** Puts key `numberOf(i)` at every i: a key looks random and is another for every number. */
function fill(made, numberOf) {
  const halves = new Uint32Array(made.buffer, made.byteOffset, 2 * made.length);
  for (let i = 0; i < made.length; ++i) {
    const number = numberOf(i);
    halves[2 * i] = number;
    halves[2 * i + 1] = mixed(number);
  }
}

/** True for half of all numbers, at random. */
export function isChosen(i) {
  return mixed(~i) >>> 31 !== 0;
}

function mixed(i) {
  const once = Math.imul(i ^ (i >>> 16), 0x21f0aaad);
  return Math.imul(once ^ (once >>> 15), 0x735a2d97) >>> 0;
}

/** The native program, which answers each line with a number. */
export function startNative(program) {
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', () => fail(`${program} does not run: build it with npm run bench`));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (command) => {
      child.stdin.write(`${command}\n`);
      const { value, done } = await lines.next();
      return done ? fail(`${program} ended without an answer to "${command}"`) : Number(value);
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
