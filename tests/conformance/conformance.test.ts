// Implementations in several languages prove themselves by the suite, and read what the others wrote. The core and the
// reader without WebAssembly do so in `npm test` (tests/js/format/golden.test.ts).
import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { inChromium } from '../js/support/chromium';
import { adapter, proved, SUITE } from '../js/support/reference/suite';
import { esModules } from '../js/support/local-server';
import { TIME_LIMIT } from '../js/support/patience';
import { at, folder } from '../js/support/scratch';

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

// The programs of docs/guides/other-languages.md, as they stand there.
describe('the guide', () => {
  const guide = readFileSync(join(SUITE, '../../docs/guides/other-languages.md'), 'utf8');
  const [build = '', serve = ''] = Array.from(
    guide.matchAll(/^```python\n(.*?)^```/gms),
    ([, code = '']) => code,
  );
  const env = { ...process.env, PYTHONPATH: join(SUITE, 'python') };

  (hasGo ? test : test.skip)('has Go that compiles', () => {
    const [, code = ''] = /^```go\n(.*?)^```/ms.exec(guide) ?? [];
    mkdirSync(at('list'), { recursive: true });
    writeFileSync(
      at('list/list.go'),
      `package list\n\nimport ("database/sql"; "os"; "cuckoofilter")\n\n${code}`,
    );
    const module = `module list\n\nrequire cuckoofilter v0.0.0\n\nreplace cuckoofilter => ${join(SUITE, 'go')}\n`;
    writeFileSync(at('list/go.mod'), module);
    execFileSync('go', ['vet', '.'], { cwd: at('list'), stdio: 'pipe', ...TIME_LIMIT });
  });

  test('builds a list from SQLite, and serves it with an ETag', () => {
    mkdirSync(at('public'), { recursive: true });
    writeFileSync(at('build_list.py'), build);
    writeFileSync(at('serve_list.py'), serve);
    const made =
      "import sqlite3; db = sqlite3.connect('app.db'); db.execute('create table blocked (host text)');" +
      "db.executemany('insert into blocked values (?)', [(f'host-{i % 400}.example',) for i in range(500)]); db.commit()";
    const run = (...words: string[]): string =>
      execFileSync('python3', words, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe', ...TIME_LIMIT });
    run('-c', made);
    expect(run('build_list.py')).toBe('400 hosts in 910 bytes\n');
    const reader = new FilterReader(readFileSync(at('public/blocked.cuckoo')));
    expect([reader.size, reader.has('host-0.example'), reader.has('host-399.example')]).toEqual([
      400,
      true,
      true,
    ]);
    const asked = `
import serve_list, threading, urllib.request, urllib.error
server = serve_list.make_server(0)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}/blocked.cuckoo"
first = urllib.request.urlopen(url)
etag = first.headers["ETag"]
print(first.status, len(first.read()), etag)
try:
    urllib.request.urlopen(urllib.request.Request(url, headers={"If-None-Match": etag}))
except urllib.error.HTTPError as error:
    print(error.code)
`;
    const saved = readFileSync(at('public/blocked.cuckoo'));
    expect(run('-c', asked)).toBe(`200 ${saved.length} "${saved.subarray(-8).toString('hex')}"\n304\n`);
  });
});
