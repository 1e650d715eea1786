// How much memory a process takes that replaces filters: the old one is disposed of, or forgotten and left to the
// garbage collector. Run with `npm run bench -- replaced`, or `-- replaced DIST` for another build.
// Invariant: each runs in a process of its own, and a turn of the event loop passes after each filter.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { keep, printMachine } from '../timing.mjs';

const [dist] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const locate = (name, entry) =>
  dist === undefined ? import.meta.resolve(name) : pathToFileURL(resolve(dist, `esm/${entry}.js`)).href;
const CLASSES = {
  CuckooFilter: locate('cuckoofilter-wasm', 'index'),
  SharedCuckooFilter: locate('cuckoofilter-wasm/shared', 'shared'),
};

/** Replaces a filter `count` times, and gives the most megabytes that the process had. */
const program = (Class, capacity, count, last) => `
  import { ${Class} } from ${JSON.stringify(CLASSES[Class])};
  const saved = new ${Class}({ capacity: ${capacity} }).serialize();
  let current;
  for (let i = 0; i < ${count}; ++i) {
    const old = current;
    current = ${Class}.deserialize(saved);
    ${last}
    await new Promise(${count > 10_000 ? 'setImmediate' : '(resolve) => setTimeout(resolve, 5)'});
  }
  console.log(JSON.stringify({ bytes: saved.length, most: process.resourceUsage().maxRSS / 1000 }));`;

printMachine('none');
console.log('\nmost MB of a process that replaces a filter again and again');
for (const [Class, capacity, count, asked] of [
  ['CuckooFilter', 10_000_000, 2000, 350],
  ['CuckooFilter', 5000, 300_000, 350],
  ['SharedCuckooFilter', 10_000_000, 400, 500], // Only its second collection frees a memory.
]) {
  const measure = (last) => {
    const text = program(Class, capacity, count, last);
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      encoding: 'utf8',
    });
    return JSON.parse(stdout);
  };
  const { bytes, most } = measure('');
  const disposed = measure('old?.dispose();').most;
  keep({ title: 'replaced filters', Class, bytes, count, forgotten: most, disposed, reach: asked });
  console.log(
    `  ${`${count} x ${Class} of ${(bytes / 1000).toFixed(0)} kB`.padEnd(48)}forgotten ${most.toFixed(0)}, ` +
      `disposed of ${disposed.toFixed(0)}; asked at most ${asked}: ${most <= asked ? 'reached' : 'not reached'}`,
  );
}
