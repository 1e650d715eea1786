// The main job, on a small sample: what it prints is checked against an exact Set of the same lines.
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runModule, TIME_LIMIT } from '../support/command';

const example = join(__dirname, '../../../js/examples/dedup.mjs');

function figures(printed: string): Record<string, string> {
  return Object.fromEntries(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, 28).trim(), line.slice(28).trim()]),
  );
}

test('the example drops at most the rate asked for and keeps the rest', () => {
  const file = join(tmpdir(), `cuckoofilter-example-${process.pid}.txt`);
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${(i * 7919) % 50_000}`);
  writeFileSync(file, lines.join('\n') + '\n');
  const shown = figures(execFileSync(process.execPath, [example, file], { encoding: 'utf8', ...TIME_LIMIT }));
  rmSync(file);
  expect(shown['lines read']).toBe('200,000');
  expect(shown['lines kept by a Set']).toBe('50,000');
  const kept = Number(shown['lines kept by the filter']?.replace(',', ''));
  expect(kept).toBeLessThanOrEqual(50_000);
  expect(50_000 - kept).toBeLessThanOrEqual(50);
  expect(shown['lines wrongly dropped']).toBe(`${50_000 - kept} of 50,000 distinct`);
});

test('the example calls nothing but the public API', () => {
  const imports = [...readFileSync(example, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imports).toEqual(['node:fs', 'node:readline', 'cuckoofilter-wasm', './sample.mjs']);
});

test('the example that crawls with workers fetches each page once', () => {
  const crawl = join(__dirname, '../../../js/examples/crawl.mjs');
  const printed = execFileSync(process.execPath, [crawl, '2'], { encoding: 'utf8', ...TIME_LIMIT });
  const [fetched, all = '', size] = /fetched (.*) pages in[^]* these are (\d+) pages; the filter holds (\d+)/
    .exec(printed)
    ?.slice(1) as string[];
  expect(all).toBe(size);
  // A page that was taken for seen is not fetched, nor is what only that page links to.
  expect(Number(all)).toBeGreaterThan(179_500);
  expect(Number(all)).toBe(
    20_000 + (fetched ?? '').split(' + ').reduce((sum, each) => sum + Number(each), 0),
  );
});

describe('the example that watches a filter', () => {
  const watch = pathToFileURL(join(__dirname, '../../../js/examples/watch.mjs')).href;
  /** The warnings about the filter that `code` makes. By default, slow doublings are ignored: a busy machine causes them. */
  const warningsOf = (code: string, limits = '{ maxPause: Infinity }'): string[] => {
    const program = `import { CuckooFilter } from 'cuckoofilter-wasm'; import { warnings } from '${watch}';
      const filter = ${code}; console.log(JSON.stringify(warnings(filter, ${limits})));`;
    return JSON.parse(runModule(program)) as string[];
  };
  const ids = (count: number): string => `BigUint64Array.from({ length: ${count} }, (_, i) => BigInt(i))`;

  test('is quiet about a filter of the sizes a guide gives, and about one that grows', () => {
    const guide = '{ capacity: 50_000, bucketCount: 16_384, bucketSize: 4, fingerprintBits: 12 }';
    expect(warningsOf(`CuckooFilter.from(${ids(50_000)}, ${guide})`)).toEqual([]);
    const grown = `CuckooFilter.from(${ids(30_000)}, { capacity: 100, maxCapacity: 1e6 })`;
    expect(warningsOf(grown)).toEqual([]);
    expect(warningsOf(grown, '{ maxPause: 0 }')).toEqual([expect.stringMatching(/^a doubling took \d+ ms$/)]);
  });

  test('tells a load past 85 %, refused keys and copies', () => {
    const full = `(() => { const filter = new CuckooFilter({ capacity: 1000, bucketCount: 256, bucketSize: 4, semiSort: false });
      for (let i = 0; i < 1100; ++i) filter.tryAdd(i); for (let i = 0; i < 9; ++i) filter.tryAdd(5); return filter; })()`;
    const told = warningsOf(full).join('\n');
    for (const words of [/^load 0\.9\d\d, and no growth left$/m, /found no room$/m])
      expect(told).toMatch(words);
    const copies = `(() => { const filter = new CuckooFilter({ capacity: 1000 });
      for (let i = 0; i < 20; ++i) filter.tryAdd(5); return filter; })()`;
    expect(warningsOf(copies)).toEqual([
      expect.stringMatching(/^\d+ % of 20 inserts were one copy too many$/),
    ]);
  });
});
