// The packed tarball, installed into an empty folder: it holds what it should, and works from every kind of project.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, dirname, join, posix } from 'node:path';
import { TIME_LIMIT } from '../support/command';
import { brokenLinks } from '../docs/links';

const ROOT = join(__dirname, '../../..');
let folder: string;
let packed: { filename: string; files: { path: string; mode: number }[] };

function run(program: string, parameters: readonly string[], cwd = folder): string {
  // Without the settings that an outer npm passes on to its children.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name)),
  );
  try {
    return execFileSync(program, parameters, {
      cwd,
      env,
      encoding: 'utf8',
      ...TIME_LIMIT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${parameters.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** What Node prints for a script of this name and text in the project that installed the package. */
function node(name: string, text: string, flags: readonly string[] = []): string {
  writeFileSync(join(folder, name), text);
  return run(process.execPath, [...flags, name]).trim();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-wasm-'));
  const told = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT);
  packed = (JSON.parse(told) as (typeof packed)[])[0] ?? { filename: '', files: [] };
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "version": "1.0.0", "private": true }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  test('holds the bundles, their types, the documents and the terms, and nothing else', () => {
    const others = packed.files
      .map(({ path }) => path)
      .filter((path) => !/^dist\/(esm|cjs)\/(\w+\/)?[\w-]+\.d\.ts$/.test(path))
      .filter((path) => !/^dist\/(esm|cjs|workerd|edge-light)\/shared-\w+\.js$/.test(path))
      .filter((path) => !/^dist\/(esm|cjs)\/[\w-]+\.(js|d\.ts)\.map$/.test(path))
      .filter((path) => !/^js\/src\/.*\.ts$/.test(path))
      .sort();
    expect(others).toEqual([
      'CHANGELOG.md',
      'CITATION.cff',
      'LICENSE',
      'README.md',
      'README.zh.md',
      'SECURITY.md',
      'audit/package.json',
      'counter/package.json',
      'dist/cjs/audit.js',
      'dist/cjs/counter.js',
      'dist/cjs/expiring.js',
      'dist/cjs/index.js',
      'dist/cjs/package.json',
      'dist/cjs/reader.js',
      'dist/cjs/redis.js',
      'dist/cjs/scalable.js',
      'dist/cjs/shared.js',
      'dist/cjs/trace.js',
      'dist/cjs/values.js',
      'dist/cli.js',
      'dist/cuckoofilter-wasm.min.js',
      'dist/edge-light/audit.js',
      'dist/edge-light/counter.js',
      'dist/edge-light/expiring.js',
      'dist/edge-light/index.js',
      'dist/edge-light/reader.js',
      'dist/edge-light/redis.js',
      'dist/edge-light/scalable.js',
      'dist/edge-light/shared.js',
      'dist/edge-light/trace.js',
      'dist/edge-light/values.js',
      'dist/esm/audit.js',
      'dist/esm/counter.js',
      'dist/esm/expiring.js',
      'dist/esm/index.js',
      'dist/esm/reader.js',
      'dist/esm/redis.js',
      'dist/esm/scalable.js',
      'dist/esm/shared.js',
      'dist/esm/trace.js',
      'dist/esm/values.js',
      'dist/wasm/core.wasm',
      'dist/wasm/scalable.wasm',
      'dist/wasm/shared.wasm',
      'dist/wasm/trace.wasm',
      'dist/wasm/valued.wasm',
      'dist/workerd/audit.js',
      'dist/workerd/counter.js',
      'dist/workerd/expiring.js',
      'dist/workerd/index.js',
      'dist/workerd/reader.js',
      'dist/workerd/redis.js',
      'dist/workerd/scalable.js',
      'dist/workerd/shared.js',
      'dist/workerd/trace.js',
      'dist/workerd/values.js',
      'docs/api.md',
      'docs/coming-from.md',
      'docs/glossary.md',
      'docs/guides/command-line.md',
      'docs/guides/count.md',
      'docs/guides/database.md',
      'docs/guides/expire.md',
      'docs/guides/grow.md',
      'docs/guides/keys.md',
      'docs/guides/platforms.md',
      'docs/guides/redis.md',
      'docs/guides/remove-duplicates.md',
      'docs/guides/runtimes.md',
      'docs/guides/save.md',
      'docs/guides/share.md',
      'docs/guides/ship-a-list.md',
      'docs/guides/values.md',
      'docs/pitfalls.md',
      'docs/start.md',
      'docs/start.zh.md',
      'expiring/package.json',
      'package.json',
      'reader/package.json',
      'redis/package.json',
      'scalable/package.json',
      'shared/package.json',
      'trace/package.json',
      'values/package.json',
    ]);
  });

  test('has every file and heading that its documents link to', () => {
    const documents = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'));
    expect(documents).toContain('docs/api.md');
    expect(brokenLinks(join(folder, 'node_modules/cuckoofilter-wasm'), documents)).toEqual([]);
  });

  test('has a map for each module and declaration in esm and cjs, whose sources are there', () => {
    const there = new Set(packed.files.map(({ path }) => path));
    const mapped = [...there].filter((path) => /^dist\/(esm|cjs)\/.*\.(js|d\.ts)$/.test(path));
    expect(mapped.length).toBeGreaterThan(40);
    for (const path of mapped) {
      const file = join(folder, 'node_modules/cuckoofilter-wasm', path);
      const end = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1);
      expect([path, end]).toEqual([path, `//# sourceMappingURL=${basename(path)}.map`]);
      const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
      const paths = sources.map((source) => posix.join(posix.dirname(path), source));
      expect([path, paths.filter((each) => !there.has(each))]).toEqual([path, []]);
    }
  });

  test.each([
    ['dist/esm/shared-cuckoo-filter.d.ts', 'declare class ', 'CuckooFilter'],
    ['dist/cjs/reader.d.ts', 'declare class ', 'FilterReader'],
    ['dist/esm/expiring.js', 'var ', 'ExpiringFilter'],
    ['dist/cjs/counter.js', 'var ', 'CuckooCounter'],
  ])('maps the class in %s to its line in the source', (path, word, name) => {
    const file = join(folder, 'node_modules/cuckoofilter-wasm', path);
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findIndex((each) => each.startsWith(`${word}${name} `));
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
    const found = map.findEntry(line, word.length);
    if (!('originalSource' in found)) throw new Error(`${path} maps nothing in line ${line + 1}`);
    const original = readFileSync(join(dirname(file), found.originalSource), 'utf8').split('\n');
    expect(original[found.originalLine]).toContain(`export class ${name} `);
  });

  test.each(['a.mjs', 'a.cjs'])(
    'shows the sources where Node prints the stack of an error, from %s',
    (name) => {
      const load = name.endsWith('.mjs')
        ? `import { CuckooFilter } from 'cuckoofilter-wasm';`
        : `const { CuckooFilter } = require('cuckoofilter-wasm');`;
      const use = `try { new CuckooFilter({ capacity: 'x' }); } catch (error) { console.log(error.stack); }`;
      const stack = node(`stack-${name}`, `${load} ${use}`, ['--enable-source-maps']);
      const frames = [...stack.matchAll(/(js\/src\/[\w/.-]+\.ts):(\d+):\d+/g)];
      expect(frames.length).toBeGreaterThan(1);
      const [, path = '', line = ''] = frames[0] ?? [];
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'utf8').split('\n');
      expect(text[Number(line) - 1]).toMatch(/new Kind\(message/);
    },
  );

  test('has short lines of code, because Node prints the one of an error that nobody catches', () => {
    for (const { path } of packed.files.filter((each) => /^dist\/.*\.js$/.test(each.path))) {
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'utf8');
      // The WebAssembly is one text, which no error points to; it has a line of its own.
      const long = text.split('\n').filter((line) => line.length > 700 && !/["'`][0-9a-f]{64}/.test(line));
      expect([path, long]).toEqual([path, []]);
    }
  });

  test('has no dependency and no script that runs at install', () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/cuckoofilter-wasm/package.json'), 'utf8'),
    ) as Record<string, Record<string, string> | undefined>;
    for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bundleDependencies'])
      expect(manifest[field]).toBeUndefined();
    const hooks = /^(pre|post)?(install|prepare|pack|publish|prepublish|publishOnly|uninstall|version)$/;
    expect(Object.keys(manifest['scripts'] ?? {}).filter((script) => hooks.test(script))).toEqual([]);
    expect(manifest['bin']).toEqual({ 'cuckoofilter-wasm': 'dist/cli.js' });
    expect(manifest).toMatchObject({ name: 'cuckoofilter-wasm', license: 'MIT', sideEffects: false });
  });

  test('tells nothing of who built it: modes are settled, and no file has a path, a user or a date', () => {
    const { username } = userInfo();
    const marks = [ROOT, homedir(), `/${username}/`, tmpdir(), new Date().toISOString().slice(0, 10)];
    for (const { path, mode } of packed.files) {
      expect([path, mode]).toEqual([path, path === 'dist/cli.js' ? 0o755 : 0o644]);
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'latin1');
      expect([path, marks.filter((mark) => text.includes(mark))]).toEqual([path, []]);
    }
  });

  test('has every file that its exports name', () => {
    const manifest = JSON.parse(
      readFileSync(join(folder, 'node_modules/cuckoofilter-wasm/package.json'), 'utf8'),
    ) as { exports: unknown; main: string; types: string };
    const named = [...JSON.stringify(manifest.exports).matchAll(/"\.\/(dist\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(named).toHaveLength(86);
    const paths = packed.files.map(({ path }) => path);
    for (const path of [...named, manifest.main.slice(2), manifest.types.slice(2)])
      expect(paths).toContain(path);
  });

  test('is clean for publint and for Are The Types Wrong', () => {
    const tarball = join(folder, packed.filename);
    const publint = join(ROOT, 'node_modules/publint/src/cli.js');
    expect(run(process.execPath, [publint, 'run', tarball, '--strict'], ROOT)).toContain('All good!');
    // What a .wasm file gives when it is imported depends on the tool that loads it, so it has no type.
    const text = `
      import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
      import { readFileSync } from 'node:fs';
      const tarball = createPackageFromTarballData(readFileSync(process.argv[1]));
      const { entrypoints, problems } = await checkPackage(tarball, { excludeEntrypoints: [/\\.wasm$/] });
      console.log(JSON.stringify({ entries: Object.keys(entrypoints).length, problems }));`;
    const told = run(process.execPath, ['--input-type=module', '--eval', text, tarball], ROOT);
    expect(JSON.parse(told)).toEqual({ entries: 11, problems: [] });
  });

  test('stands for its entries in folders, for tools that do not read exports', () => {
    for (const entry of ['counter', 'expiring', 'reader', 'redis', 'scalable', 'shared', 'trace', 'values']) {
      const text = `
        const { join } = require('node:path');
        const stub = require('./node_modules/cuckoofilter-wasm/${entry}/package.json');
        const file = (name) => join('node_modules/cuckoofilter-wasm/${entry}', stub[name]);
        const here = (name) => require.resolve('./' + file(name));
        console.log(here('main') === require.resolve('cuckoofilter-wasm/${entry}'), here('module') && here('types') && 'all');`;
      expect(node('stub.cjs', text)).toBe('true all');
    }
  });

  test('makes no code from text, fetches nothing, and needs no other package', () => {
    const modules = packed.files.filter(({ path }) => /^dist\/esm\/.*\.js$/.test(path));
    expect(modules.length).toBeGreaterThan(4);
    for (const { path } of modules) {
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'utf8');
      expect(text).not.toMatch(/\beval\s*\(/);
      expect(text).not.toMatch(/\bnew\s+Function\b/);
      expect(text).not.toMatch(/\brequire\s*\(|from\s*["'](?!\.\/)/);
      expect(text).not.toMatch(/\bSharedArrayBuffer\s*\(/);
      expect(text.match(/.{40}\bfetch\s*\(.{40}/)).toBeNull();
    }
  });
});

describe('installed', () => {
  const USE = `
    const filter = new CuckooFilter({ capacity: 1000 });
    filter.add('alice');
    const copy = CuckooFilter.deserialize(filter.serialize());
    console.log([copy.contains('alice'), copy.contains('bob'), copy.delete('alice'), copy.size].join());`;

  test('it works from an ES module, with its trace', () => {
    expect(node('a.mjs', `import { CuckooFilter } from 'cuckoofilter-wasm'; ${USE}`)).toBe(
      'true,false,true,0',
    );
    expect(node('b.mjs', `import { CuckooFilter } from 'cuckoofilter-wasm/trace'; ${USE}`)).toBe(
      'true,false,true,0',
    );
  });

  /** Uses all entries together; `load` gives the text that gets one of them. */
  const TOGETHER = (load: (entry: string) => string): string => `
    const root = ${load('')}, scalable = ${load('/scalable')}, expiring = ${load('/expiring')}, trace = ${load('/trace')}, values = ${load('/values')}, counter = ${load('/counter')}, reader = ${load('/reader')}, redis = ${load('/redis')};
    const entries = { root, scalable, expiring, trace, values, counter, reader, redis };
    const differ = [];
    for (const name of ['FilterFullError', 'FormatError', 'DisposedError', 'AuditError', 'PackedKeys', 'Deduper', 'dedupe'])
      for (const [entry, names] of Object.entries(entries))
        if (names[name] !== undefined && names[name] !== root[name]) differ.push(entry + '.' + name);
    const caught = [];
    const filters = [
      new root.CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
      new trace.CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
      new scalable.ScalableCuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4, maxCapacity: 4 }),
      new expiring.ExpiringFilter({ capacity: 4, bucketCount: 1, bucketSize: 4, periods: 2 }),
      new values.CuckooValues({ capacity: 4, bucketCount: 1, bucketSize: 4, valueBits: 2 }),
      new counter.CuckooCounter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
    ];
    for (const filter of filters) {
      try {
        if (filter.isNew) for (let i = 0; i < 99; ++i) filter.isNew(i);
        else if (filter.set) for (let i = 0; i < 99; ++i) filter.set(i, 1);
        else if (filter.maxCount) for (let i = 0; i < 99; ++i) filter.add(i);
        else for (let i = 0; i < 99; ++i) filter.add('the same');
      } catch (error) { caught.push(error instanceof root.FilterFullError); }
      filter.dispose();
      try { void filter.size; } catch (error) { caught.push(error instanceof scalable.DisposedError); }
    }
    for (const Class of [root.CuckooFilter, trace.CuckooFilter, scalable.ScalableCuckooFilter, values.CuckooValues, counter.CuckooCounter])
      try { Class.deserialize(new Uint8Array(3)); } catch (error) { caught.push(error instanceof trace.FormatError); }
    try { new reader.FilterReader(new Uint8Array(3)); } catch (error) { caught.push(error instanceof root.FormatError); }
    const deduper = new root.Deduper(new scalable.ScalableCuckooFilter({ capacity: 10 }));
    const traced = new trace.CuckooFilter({ capacity: 10 });
    console.log(JSON.stringify([
      differ, caught, deduper instanceof trace.Deduper, traced instanceof root.CuckooFilter,
      root.CuckooFilter.from(['a'], { capacity: 10 }).merge(traced.add('b')).size,
    ]));`;
  const AS_ONE = JSON.stringify([[], Array<boolean>(18).fill(true), true, false, 2]);

  test('its classes and errors are the same from every entry, as ES modules', () => {
    expect(
      node(
        'one.mjs',
        TOGETHER((entry) => `await import('cuckoofilter-wasm${entry}')`),
      ),
    ).toBe(AS_ONE);
  });

  test('its classes and errors are the same from every entry, as CommonJS', () => {
    expect(
      node(
        'one.cjs',
        TOGETHER((entry) => `require('cuckoofilter-wasm${entry}')`),
      ),
    ).toBe(AS_ONE);
  });

  test('it works from CommonJS, with its trace', () => {
    expect(node('a.cjs', `const { CuckooFilter } = require('cuckoofilter-wasm'); ${USE}`)).toBe(
      'true,false,true,0',
    );
    expect(node('b.cjs', `const { CuckooFilter } = require('cuckoofilter-wasm/trace'); ${USE}`)).toBe(
      'true,false,true,0',
    );
    expect(node('c.cjs', `console.log(require('cuckoofilter-wasm/package.json').name)`)).toBe(
      'cuckoofilter-wasm',
    );
  });

  test('it needs no fetch, no eval and no code made at run time, and touches no global', () => {
    const text = `
      for (const name of ['fetch', 'XMLHttpRequest', 'Buffer', 'process', 'require']) delete globalThis[name];
      const before = Object.getOwnPropertyNames(globalThis).join();
      const { CuckooFilter } = await import('cuckoofilter-wasm');
      ${USE}
      if (Object.getOwnPropertyNames(globalThis).join() !== before) console.log('a global was added');`;
    expect(node('d.mjs', text, ['--disallow-code-generation-from-strings'])).toBe('true,false,true,0');
  });

  test('it lets the process end while filters live, also after preload', () => {
    expect(
      node(
        'e.mjs',
        `import { CuckooFilter, preload } from 'cuckoofilter-wasm'; await preload(); globalThis.kept = new CuckooFilter({ capacity: 9 }); console.log('end')`,
      ),
    ).toBe('end');
  });

  test('its command works by its name', () => {
    writeFileSync(join(folder, 'lines.txt'), 'a\nb\na\n');
    expect(run(join(folder, 'node_modules/.bin/cuckoofilter-wasm'), ['dedup', 'lines.txt'])).toBe('a\nb\n');
  });

  test('it works in a worker thread, and gives the same bytes there', () => {
    const text = `
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      import { CuckooFilter } from 'cuckoofilter-wasm';
      const bytes = CuckooFilter.from(['a', 'b', 5]).serialize();
      if (isMainThread) new Worker(new URL(import.meta.url)).once('message', (theirs) => console.log(Buffer.compare(theirs, bytes)));
      else parentPort.postMessage(bytes);`;
    expect(node('f.mjs', text)).toBe('0');
  });

  const CONSUMER = `
    const options: CuckooFilterOptions = { capacity: 100, falsePositiveRate: 0.01, bucketSize: 4, addressing: 'reflect', seed: 5n };
    const filter = new CuckooFilter(options);
    const keys: Keys = ['a', 5, 5n, Uint8Array.of(1)];
    const key: Key = 'a';
    const chained: CuckooFilter = filter.add(key).add(7);
    const outcome: 'added' | 'full' | 'too-many-copies' = filter.tryAdd('b');
    const mask: Uint8Array = filter.containsMany(keys);
    const counts: number[] = [filter.addMany(keys), filter.addMany(new BigUint64Array(3)), filter.deleteMany(new Set(['a'])), filter.count('a')];
    const answers: boolean[] = [filter.contains('a'), filter.has(1), filter.delete(1n), filter.addIfAbsent('c'), filter.equals(chained)];
    const fresh: Uint8Array = filter.addManyIfAbsent(keys);
    const bytes: Uint8Array = filter.serialize();
    const loaded: CuckooFilter = CuckooFilter.deserialize(bytes, { maxBytes: 1e6 });
    const plan: CuckooFilterPlan = CuckooFilter.plan(options);
    const numbers: number[] = [filter.size, filter.capacity, filter.bucketCount, filter.bucketSize, filter.fingerprintBits, filter.maxKicks, filter.loadFactor, filter.byteLength, filter.bitsPerKey, filter.expectedFalsePositiveRate, plan.bitsPerKey];
    const seed: bigint = filter.seed;
    const addressing: 'reflect' | 'xor' = filter.addressing;
    const sorted: boolean = filter.semiSorted;
    const waiting: Promise<void> = preload();
    const packed: Uint8Array = filter.addManyIfAbsent(new PackedKeys(Uint8Array.of(1, 2), Uint32Array.of(1, 2)));
    const plannedShare: number = Deduper.plan(options).droppedShare;
    const deduper = new Deduper(options);
    const news: [boolean, Uint8Array] = [deduper.isNew(key), deduper.areNew(keys)];
    try { CuckooFilter.from(keys, { falsePositiveRate: 0.1 }); } catch (error) {
      if (error instanceof FilterFullError) { const reason: 'full' | 'too-many-copies' = error.reason; const added: number = error.added; void [reason, added]; }
      if (error instanceof FormatError) { const code: string = error.code; void code; }
      if (error instanceof DisposedError) void error.message;
    }
    const either: TableFilter<unknown>[] = [filter, new ScalableCuckooFilter({ capacity: 10 }), new Traced({ capacity: 10 })];
    // @ts-expect-error: a scalable filter cannot be merged, so it is no CuckooFilter
    const notOne: CuckooFilter = new ScalableCuckooFilter({ capacity: 10 });
    // @ts-expect-error: nor can others be merged into it
    void (() => new ScalableCuckooFilter({ capacity: 10 }).merge(filter));
    const around = [new Deduper(filter), new Deduper(new ScalableCuckooFilter({ capacity: 10 }))];
    void [either, notOne, around];
    const traced = new Traced({ capacity: 10 }).trace((events: readonly TraceEvent[]) => { for (const event of events) if (event.kind === 'kick') void event.otherBucket; });
    // @ts-expect-error: an object is no key
    filter.add({});
    // @ts-expect-error: a text is one key, not many
    void (() => filter.addMany('abc'));
    // @ts-expect-error: capacity must be given
    void (() => new CuckooFilter({}));
    // @ts-expect-error: sizes are read-only
    void (() => { filter.size = 3; });
    const reader = new FilterReader(filter.serialize(), { maxBytes: 1e6 });
    const asked: [boolean, number, bigint, Uint8Array] = [reader.has('a'), reader.size, reader.seed, reader.containsMany(keys)];
    const remote: RemoteFilter = FilterReader.remote(new Uint8Array(96));
    const isThere: boolean = remote.answer('a', remote.locate('a').map(({ length }) => new Uint8Array(length)));
    // @ts-expect-error: a reader adds nothing
    reader.add('a');
    void [asked, isThere];
    filter.clear();
    filter.clone().dispose();
    filter[Symbol.dispose]();
    const users: Generator<{ id: number }> = dedupe([{ id: 1 }], { key: (user) => user.id, capacity: 10 });
    const later = (async function* () { yield 'a'; })();
    const arriving: AsyncGenerator<string> = dedupe(later, { capacity: 10 });
    const read = async (lines: Iterable<string> | AsyncIterable<string>) => {
      for await (const line of dedupe(lines, { capacity: 10 })) line.length;
    };
    const stream = dedupeStream<string>({ deduper });
    void [users, stream, arriving, read];
    void [outcome, mask, counts, answers, fresh, loaded, numbers, seed, addressing, sorted, waiting, traced, packed, plannedShare, news];`;
  const STREAMS = `
    declare const numbered: ReadableStream<{ id: number }>;
    const piped: ReadableStream<{ id: number }> = numbered.pipeThrough(dedupeStream({ key: (one) => one.id, deduper }));
    // @ts-expect-error: items keep their type
    const texts: ReadableStream<string> = piped;
    void texts;
    const saved: Bytes = filter.serialize();
    void [new Blob([saved]), new Response(deduper.serialize()), fetch('', { method: 'PUT', body: saved }), crypto.subtle.digest('SHA-256', saved)];`;
  const IMPORT = `import { CuckooFilter, Deduper, dedupe, dedupeStream, DisposedError, FilterFullError, FormatError, PackedKeys, preload, type TableFilter, type Bytes, type CuckooFilterOptions, type CuckooFilterPlan, type Key, type Keys } from 'cuckoofilter-wasm';
    import { FilterReader, type RemoteFilter } from 'cuckoofilter-wasm/reader';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { CuckooFilter as Traced, type TraceEvent } from 'cuckoofilter-wasm/trace';`;

  // Nor the library that has `using`. `npm run test:matrix` checks the types with TypeScript 5.0 and 5.4 themselves.
  test('its types need no generic typed array, which TypeScript has only from 5.7 on', () => {
    const declarations = packed.files.filter(({ path }) => path.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(18);
    for (const { path } of declarations) {
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'utf8');
      expect([path, /^(?! \*).*Array<\w*Buffer|reference lib/m.exec(text)?.[0]]).toEqual([path, undefined]);
    }
  });

  test.each([
    ['node16', ['ES2022']],
    ['nodenext', ['ES2022', 'DOM']],
  ])('its types serve strict ES and CommonJS consumers, module %s and lib %j', (module, lib) => {
    const text = [IMPORT, CONSUMER, lib.includes('DOM') ? STREAMS : ''].join('\n');
    for (const name of ['consumer.mts', 'consumer.cts']) writeFileSync(join(folder, name), text);
    const compilerOptions = {
      module,
      lib,
      target: 'ES2022',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      types: [],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.mts', 'consumer.cts'] }),
    );
    expect(
      run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json']),
    ).toBe('');
  });
});
