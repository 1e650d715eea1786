// Makes src/recordings.json: what two other designs do, recorded once and shown with that label; never run by the page.
// Run from a checkout of github.com/efficient/cuckoofilter (commit 917583d): node record.mjs <checkout>
// Needs a C++17 compiler. The reference code draws its hash at random, so the run is repeated until it is stored with
// two homes that differ, as 15 of 16 keys are.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('usage: node record.mjs <checkout of efficient/cuckoofilter>');

const program = join(mkdtempSync(join(tmpdir(), 'cuckoo-recording-')), 'stash');
const source = fileURLToPath(new URL('stash.cc', import.meta.url));
execFileSync('c++', ['-std=c++17', '-O1', `-I${checkout}/src`, source, '-o', program]);
const stash = JSON.parse(execFileSync(program, { encoding: 'utf8' }));

/** The rule (i XOR h) mod m that three public demos use with an m that is no power of two. */
const bucketCount = 12;
const offset = 7;
const there = Array.from({ length: bucketCount }, (_, from) => (from ^ offset) % bucketCount);
const back = there.map((to) => (to ^ offset) % bucketCount);

const recordings = {
  stash: { source: 'efficient/cuckoofilter 917583d', slots: 64, ...stash },
  xorMod: { bucketCount, offset, to: there, back },
};
writeFileSync(new URL('../src/recordings.json', import.meta.url), `${JSON.stringify(recordings, null, 2)}\n`);
