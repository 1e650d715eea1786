// Implementations in several languages prove themselves by the suite, and read what the others wrote. The core and the
// reader without WebAssembly do so in `npm test` (tests/js/format/golden.test.ts).
import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { inChromium } from '../js/support/chromium';
import { adapter, proved, SUITE } from '../js/support/conformance';
import { esModules } from '../js/support/local-server';
import { TIME_LIMIT } from '../js/support/patience';
import { at } from '../js/support/scratch';

const PYTHON = ['python3', join(SUITE, 'python/prove.py')] as const;
const GO = at('prove');
const hasGo = spawnSync('go', ['version']).status === 0;
if (hasGo) execFileSync('go', ['build', '-o', GO, './prove'], { cwd: join(SUITE, 'go'), ...TIME_LIMIT });
else console.log('Go is not installed: the implementation in tests/conformance/go is not tested here');
const LANGUAGES: readonly (readonly string[])[] = hasGo ? [PYTHON, [GO]] : [PYTHON];

test('the reader written from the specification agrees with every case', () => {
  expect(proved(...adapter('oracle'))).toMatch(/: \d{3,} passed, 0 failed\n$/);
});

test.each(LANGUAGES)('%s passes the suite', (...program) => {
  expect(proved('--', ...program)).toMatch(/: \d{3,} passed, 0 failed, \d+ skipped\n$/);
});

/** What a program answers to requests, line by line. */
function spoken(program: readonly string[], ...requests: readonly object[]): Record<string, unknown>[] {
  const [name = '', ...parameters] = program;
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join('');
  const printed = execFileSync(name, parameters, { input, encoding: 'utf8', ...TIME_LIMIT });
  return printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const hex = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('hex');
const KEYS = Array.from({ length: 500 }, (_, i) => `naïve ${i}`);
const keys = KEYS.map(hex);

/** A filter of the keys, as each language saves it. */
const SAVED: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['the core', CuckooFilter.from(KEYS).serialize()],
  ...LANGUAGES.map((program) => {
    const table = { buckets: 140, slots: 4, bits: 13.5, storage: 'semi-sorted', addressing: 'reflect' };
    const answers = spoken(
      program,
      { do: 'create', ...table, capacity: 500, seed: '7' },
      { do: 'change', words: keys.map((key) => `+${key}`) },
      { do: 'save' },
    );
    return [program[0] as string, Buffer.from(answers[2]?.['bytes'] as string, 'hex')] as const;
  }),
];
const page = inChromium((path) => {
  if (path === '/') return ['text/html', '<!doctype html><link rel="icon" href="data:,">'];
  const [, bytes] = SAVED[Number(/^\/(\d+)$/.exec(path)?.[1])] ?? [];
  if (bytes !== undefined) return ['application/octet-stream', bytes];
  return ['text/javascript', esModules().find(([name]) => path === `/${name}`)?.[1]];
});

describe.each(SAVED.map(([name, bytes], i) => [name, bytes, i] as const))('what %s saved', (_, bytes, i) => {
  test.each(LANGUAGES)('is read by %s', (...program) => {
    const [opened, asked] = spoken(program, { do: 'open', bytes: hex(bytes) }, { do: 'ask', keys });
    expect(opened).toEqual({ size: 500 });
    expect(asked?.['answers']).not.toContain(0);
  });

  test('is read by the core and by the reader', () => {
    using filter = CuckooFilter.deserialize(bytes);
    expect(filter.containsMany(KEYS)).not.toContain(0);
    expect(new FilterReader(bytes).containsMany(KEYS)).not.toContain(0);
  });

  test('is read in a page', async () => {
    const tab = await page.browser.newPage();
    await tab.goto(page.address);
    const answers = await tab.evaluate(
      `(async () => {
        const { FilterReader } = await import('/reader.js');
        const reader = new FilterReader(await (await fetch('/${i}')).arrayBuffer());
        return ${JSON.stringify([...KEYS, 'absent'])}.map((key) => reader.has(key));
      })()`,
    );
    await tab.close();
    expect(answers).toEqual([...KEYS.map(() => true), false]);
  });
});
