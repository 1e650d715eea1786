// What the commands tell of filters and do with their memory.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryBytes } from '../support/memory-spy';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { commands } from '../../../js/cli/commands';
import { Failure } from '../../../js/cli/words/failure';
import type { CommandName, Settings } from '../../../js/cli/words/options';
import { command, printed } from '../support/command';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-commands-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function saved(name: string, filter: CuckooFilter): string {
  const path = join(folder, name);
  writeFileSync(path, filter.serialize());
  return path;
}

test('info tells the figures of each filter, one a line, in two columns', () => {
  const filters = [
    CuckooFilter.from(['x', 'y'], { capacity: 100, seed: 7 }),
    CuckooFilter.from(['z'], { capacity: 50, maxCapacity: 5000, falsePositiveRate: 0.05 }),
  ];
  const files = filters.map((filter, i) => saved(`filter-${i}`, filter));
  const figures = filters.flatMap((filter, i) => [
    ['file', files[i]],
    ['keys', filter.size],
    ['capacity', filter.currentCapacity],
    ['largest capacity', filter.maxCapacity],
    ['false positive rate', filter.expectedFalsePositiveRate.toPrecision(3)],
    ['load factor', filter.loadFactor.toFixed(3)],
    ['bits per key', filter.bitsPerKey.toFixed(2)],
    ['bytes of the table', filter.byteLength],
    ['buckets', filter.bucketCount],
    ['slots per bucket', filter.bucketSize],
    ['fingerprint bits', filter.fingerprintBits],
    ['addressing', filter.addressing],
    ['seed', filter.seed],
  ]);
  const lines = printed(['info', ...files]).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => [line.slice(0, 22).trimEnd(), line.slice(22)])).toEqual(
    figures.map(([name, value]) => [name, String(value)]),
  );
});

describe('what a command cannot do without', () => {
  const { isTTY } = process.stdout;
  afterEach(() => void (process.stdout.isTTY = isTTY));

  test.each<readonly [CommandName, Settings, string]>([
    ['build', { files: [] }, 'build needs --save FILE, the file to write the filter to'],
    ['query', { files: [] }, 'query needs --load FILE, with a filter saved by build or dedup'],
    ['merge', { files: [] }, 'merge needs --output FILE, because standard output is a terminal'],
    [
      'dedup',
      { files: [], load: '/nowhere/filter' },
      '/nowhere/filter: no such file or directory. To start with an empty filter, leave out --load, or add --create and --save',
    ],
  ])('%s %j', async (name, settings, message) => {
    process.stdout.isTTY = true;
    const run = async (): Promise<number> => commands[name](settings);
    await expect(run()).rejects.toThrow(new Failure(message));
  });

  test('a merge into a file is fine on a terminal', async () => {
    process.stdout.isTTY = true;
    const one = saved('one', CuckooFilter.from(['x'], { capacity: 9 }));
    await expect(commands.merge({ files: [one], output: join(folder, 'copy') })).resolves.toBe(0);
  });
});

test('a merge holds no more than two filters at a time', async () => {
  const options = { capacity: 1, bucketCount: 2 ** 20, bucketSize: 4, fingerprintBits: 8 } as const;
  const file = saved('four-megabytes', new CuckooFilter(options));
  const output = join(folder, 'union');
  await commands.merge({ files: [file, file], output });
  const before = memoryBytes();
  await commands.merge({ files: Array.from({ length: 20 }, () => file), output });
  expect(memoryBytes() - before).toBeLessThan(8 * 2 ** 22);
});

test('a filter that cannot be written whole leaves the file that was there, or none, and nothing else', () => {
  const own = mkdtempSync(join(folder, 'own-'));
  const disk = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const plain = fs.writeSync;
    let calls = 0;
    fs.writeSync = (fd, bytes, at) => {
      if (++calls === 1) return plain(fd, bytes, at, 10);
      throw new Error('the disk is full');
    };
    syncBuiltinESMExports();`;
  const there = join(own, 'there');
  const before = CuckooFilter.from(['b']).serialize();
  writeFileSync(there, before);
  for (const path of [there, join(own, 'new')]) {
    const { code, errors } = command(['build', '--save', path], 'a\n', disk);
    expect([code, errors]).toEqual([2, `cuckoofilter-wasm: ${path}: the disk is full\n`]);
  }
  expect(readdirSync(own)).toEqual(['there']);
  expect(readFileSync(there)).toEqual(Buffer.from(before));
});
