// A bench whose reference is missing fails and names what is missing: a table without it would look like a result.
import { afterAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_LIMIT } from '../support/command';

const root = join(__dirname, '../../..');
const empty = mkdtempSync(join(tmpdir(), 'cuckoofilter-empty-'));
afterAll(() => rmSync(empty, { recursive: true }));

test.each<[missing: string, file: string, words: string[], env?: NodeJS.ProcessEnv]>([
  ['bloom-filters', 'tests/bench/calls/peers.mjs', ['short', `--bloom-filters=${empty}`]],
  ['bloomfilter', 'tests/bench/calls/calls.mjs', ['inserts', `--bloomfilter=${empty}`]],
  ['bloomfilter', 'tests/bench/programs/readme.mjs', ['--size=1000', `--bloomfilter=${empty}`]],
  ['esm/index.js', 'tests/bench/calls/against.mjs', [empty]],
  ['no-such-program', 'tests/bench/paper/scale.mjs', [join(empty, 'no-such-program')]],
  ['no-such-module', 'tests/bench/redis/redis.mjs', [`--module=${join(empty, 'no-such-module')}`]],
  ['awk', 'tests/bench/programs/dedup.mjs', ['1000'], { PATH: empty }],
  ['cuckoofilter.h', 'scripts/bench.mjs', ['race']],
  ['cuckoofilter.h', 'scripts/bench.mjs', ['race', empty]],
  ['cuckoofilter.h', 'scripts/bench.mjs', ['shared', `--paper=${empty}`]],
  ['cuckoohash_map.hh', 'scripts/bench.mjs', ['shared', `--libcuckoo=${empty}`]],
])('without %s, %s %p fails', (missing, file, words, env = {}) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, file), ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    ...TIME_LIMIT,
  });
  expect(stderr).toContain(missing);
  expect(status).toBeGreaterThan(0);
});
