// Hosts that lack something that programs expect, or add something to it. Every class must work there as elsewhere.
import { describe, expect, test } from '@jest/globals';
import { buildSync, transformSync } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { TIME_LIMIT } from '../js/support/command';
import { at, file } from '../js/support/scratch';

const dist = join(__dirname, '../../dist');
const PROGRAM = `
  const entries = ['index', 'scalable', 'expiring', 'values', 'counter', 'trace', 'audit', 'reader', 'shared'];
  const [root, scalable, expiring, values, counter, trace, audit, reader, shared] =
    await Promise.all(entries.map((name) => import('${dist}/esm/' + name + '.js')));
  const filter = audit.audited(new root.CuckooFilter({ capacity: 5, maxCapacity: 10000 }));
  for (let i = 0; i < 1000; ++i) filter.add('key ' + i);
  const saved = root.CuckooFilter.from(['€', 'x'.repeat(99), 5n, 7]).serialize();
  console.log([
    filter.has('key 7'),
    new scalable.ScalableCuckooFilter({ capacity: 3 }).add('a').has('a'),
    new expiring.ExpiringFilter({ capacity: 9, periods: 3, every: '1 h' }).isNew('a'),
    new values.CuckooValues({ capacity: 9, valueBits: 8 }).set('a', 5).get('a')[0],
    new counter.CuckooCounter({ capacity: 9 }).add('a', 3).count('a'),
    new trace.CuckooFilter({ capacity: 9 }).trace(1).add('a').takeEvents().events.length,
    new reader.FilterReader(saved).has('€'),
    new shared.SharedCuckooFilter({ capacity: 99 }).add('a').has('a'),
    root.CuckooFilter.deserialize(saved).has(7n),
    [...root.dedupe(['a', 'a', 'b'], { capacity: 9 })].length,
  ].join());`;
const GOOD = 'true,true,true,5,3,1,true,true,true,2';

/** The flag that lets a program read and write only what others allow: newer versions know only the first. */
const PERMISSION = ['--permission', '--experimental-permission'].find((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
);

function run(before = '', flags: readonly string[] = []): string {
  return execFileSync(
    process.execPath,
    ['--no-warnings', ...flags, '--input-type=module', '--eval', before + PROGRAM],
    { encoding: 'utf8', stdio: 'pipe', ...TIME_LIMIT },
  ).trim();
}

describe('every class works under the flags of Node', () => {
  test.each([
    ['--frozen-intrinsics', 'regenerator#410, TypeScript#53699, endo#593'],
    [
      '--disallow-code-generation-from-strings',
      'opendocument.core#709, spz-loader#91: embind called new Function',
    ],
    ['--disable-proto=throw', 'asn1-schema#81, luxon#1592'],
    ['--enable-source-maps', 'compare-versions#61, typesafe-i18n#179: a map named what the package lacks'],
    ['--max-old-space-size=20', 'webpack#15584'],
    [`${PERMISSION} --allow-fs-read=*`, 'deno#26373: a package read its .wasm file'],
  ])('%s (%s)', (flags) => {
    expect(run('', flags.split(' '))).toBe(GOOD);
  });
});

describe('every class works in a program that', () => {
  test.each([
    [
      'adds to Array.prototype what for-in finds (google-api-javascript-client#199, tiny-emitter#4)',
      'Array.prototype.last = () => 5; Array.prototype.remove = 1;',
    ],
    [
      'gives arrays, strings and bigints a toJSON (prototype#344, faye#4, socket.io-client#366)',
      `
      for (const { prototype } of [Array, BigInt, String]) prototype.toJSON = () => 'x';`,
    ],
    [
      'iterates arrays in its own way (core-js)',
      `
      Array.prototype[Symbol.iterator] = function* () { for (let i = 0; i < this.length; ++i) yield this[i]; };`,
    ],
    [
      'has frozen its built-in objects (readable-stream#474)',
      `
      for (const each of [Object, Array, Function, Uint8Array, Map, Set, Promise, String, Number, BigInt, Error])
        Object.freeze(each.prototype) && Object.freeze(each);`,
    ],
    [
      'has a Module of another Emscripten program (emscripten#16518)',
      `
      globalThis.Module = { wasmBinary: 1, onRuntimeInitialized() { throw 1; } };`,
    ],
    [
      'looks like a browser or like Electron (emscripten#16518, sql.js#454)',
      `
      Object.assign(globalThis, { window: globalThis, self: globalThis, document: {}, importScripts() { throw 1; } });
      process.type = 'renderer'; process.versions.electron = '30.0.0';`,
    ],
    ['has no process and no Buffer (node-util#43)', 'delete globalThis.process; delete globalThis.Buffer;'],
    ['has stopped the clocks (mtcute#148)', 'Date.now = () => 0; performance.now = () => 0;'],
    ['has no randomness', "Math.random = () => { throw new Error('random'); };"],
  ])('%s', (_, before) => {
    expect(run(before)).toBe(GOOD);
  });
});

// b4a#10, fast-text-encoding#33, hermes#948, jsdom#2524: Hermes and jsdom had no TextEncoder, and polyfills no `encodeInto`.
test.each([
  ['without TextEncoder', 'delete globalThis.TextEncoder;'],
  ['with a polyfill that has no encodeInto', 'delete TextEncoder.prototype.encodeInto;'],
])('strings are the same keys %s', (_, before) => {
  expect(run(before)).toBe(GOOD);
  const program = `
    const { CuckooFilter } = await import('${dist}/esm/index.js');
    const { SharedCuckooFilter } = await import('${dist}/esm/shared.js');
    const texts = ['', 'straße', 'a key of more than thirty characters', '😀', '\\ud83d', '\\ude00'];
    const long = ['', 'x', 'xx'].map((begin) => begin + '😀'.repeat(1e5));
    const options = { capacity: 99, fingerprintBits: 32 };
    for (const Class of [CuckooFilter, SharedCuckooFilter]) {
      const filter = Class.from([...texts, ...long], options);
      for (const key of texts) filter.add(key);
      console.log(String(filter.serialize()));
    }`;
  const printed = (code: string): string =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
      encoding: 'utf8',
      ...TIME_LIMIT,
    });
  expect(printed(before + program)).toBe(printed(program));
});

describe('a bundle of the package', () => {
  const bundle = (format: 'cjs' | 'iife', target = 'es2022'): string =>
    buildSync({
      stdin: {
        contents: "export { CuckooFilter, Deduper } from 'cuckoofilter-wasm';",
        resolveDir: __dirname,
      },
      bundle: true,
      format,
      target,
      globalName: 'bundled',
      minify: true,
      write: false,
    }).outputFiles[0]?.text ?? '';
  const USE =
    "[CuckooFilter.from(['a', '€']).has('€'), CuckooFilter.name, new Deduper({ capacity: 9 }).areNew(['a', 'a']).join()].join()";

  // react-x11#506, open#350: import.meta.url is missing there; bun#6567: a file was read beside the program.
  test('needs no file and no import.meta, as in an executable of one file', () => {
    const program = file(
      'one-file.cjs',
      `${bundle('cjs')};const { CuckooFilter, Deduper } = module.exports;console.log(${USE})`,
    );
    expect(execFileSync(process.execPath, [program], { encoding: 'utf8', cwd: at('') }).trim()).toBe(
      'true,CuckooFilter,1,0',
    );
  });

  // wasm-bindgen#3164.
  test.each(['es2022', 'es2021', 'es2020', 'chrome80', 'safari15'])('works for the target %s', (target) => {
    const context = createContext({ WebAssembly, TextEncoder });
    expect(
      runInContext(`${bundle('iife', target)};const { CuckooFilter, Deduper } = bundled;${USE}`, context),
    ).toBe('true,CuckooFilter,1,0');
  });

  // web-audio-api#2553, wasm-bindgen#2367: an AudioWorklet has no clock, no timers, and no TextEncoder.
  test('works with nothing but the language and WebAssembly', async () => {
    const program = `${bundle('iife')};const { CuckooFilter, Deduper } = bundled;
      async function* keys() { for (let i = 0; i < 50000; ++i) yield 'key €' + i; }
      (async () => [(await CuckooFilter.fromAsync(keys())).has('key €7'),
        (await new Deduper({ capacity: 50000 }).areNewAsync(keys())).length].join())()`;
    const context = createContext({});
    expect(runInContext('[typeof performance, typeof setTimeout, typeof TextEncoder].join()', context)).toBe(
      'undefined,undefined,undefined',
    );
    expect(await runInContext(program, context)).toBe('true,50000');
  });

  test('is text of ASCII alone, which no wrong charset of a server changes (esbuild#70)', () => {
    expect(readFileSync(join(dist, 'cuckoofilter-wasm.min.js'), 'latin1')).not.toMatch(/[^\n -~]/);
    expect(transformSync(bundle('iife'), { charset: 'ascii' }).code.length).toBeGreaterThan(0);
  });

  // undici#4669: in `--build-snapshot` there is no WebAssembly.
  test('can be loaded into a snapshot of Node, if its filters are made afterwards', () => {
    const program = file(
      'snapshot.cjs',
      `${bundle('iife')};const { CuckooFilter, Deduper } = bundled;
      require('node:v8').startupSnapshot.setDeserializeMainFunction(() => console.log(${USE}));`,
    );
    const blob = at('snapshot.blob');
    const built = spawnSync(
      process.execPath,
      ['--snapshot-blob', blob, '--build-snapshot', program],
      TIME_LIMIT,
    );
    expect([
      built.status,
      built.stderr
        .toString()
        .replace(/^.*Warning.*$|^\(Use.*$/gm, '')
        .trim(),
    ]).toEqual([0, '']);
    expect(
      execFileSync(process.execPath, ['--snapshot-blob', blob], { encoding: 'utf8', ...TIME_LIMIT }).trim(),
    ).toBe('true,CuckooFilter,1,0');
  });
});

// react/metro#1395, aws-sdk-js-v3#6828, buildonspark/spark#62: with React Native's settings of Babel, such a block ended the
// bundle of the whole application. `npm run test:matrix -- metro hermes` bundles and runs it.
test('no file that Metro may bundle has a static block', () => {
  for (const format of ['esm', 'cjs'])
    for (const name of readdirSync(join(dist, format)).filter((each) => each.endsWith('.js')))
      expect([name, /\bstatic\s*\{/.test(readFileSync(join(dist, format, name), 'utf8'))]).toEqual([
        name,
        false,
      ]);
});

// nitro#3089, nuxt-hub/core#467: Nitro starts a .wasm file that is imported without `?module`; plain workerd and wrangler
// look for a file of exactly the name that is imported.
test.each([
  ['Nitro on Cloudflare', ['edge-light', 'netlify', 'unwasm', 'workerd'], '.wasm?module'],
  ['wrangler', ['worker', 'browser', 'workerd'], '.wasm'],
  ["Vercel's edge", ['edge-light'], '.wasm?module'],
  ['Nitro in Node', ['node', 'unwasm'], undefined],
])('%s gets each .wasm file in its own way', (_, conditions, ending) => {
  const { exports } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
    exports: Record<string, { workerd?: object | null }>;
  };
  const entries = Object.keys(exports).filter((path) => exports[path]?.workerd);
  expect(entries.length).toBeGreaterThan(5);
  const names = entries.map((path) => path.replace('.', 'cuckoofilter-wasm'));
  const { metafile } = buildSync({
    stdin: { contents: names.map((name) => `import '${name}';`).join('\n'), resolveDir: __dirname },
    bundle: true,
    format: 'esm',
    conditions,
    external: ['*.wasm', '*.wasm?module'],
    ignoreAnnotations: true,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const files = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => /\.wasm.*$/.exec(path)?.[0]),
  );
  expect(files).toEqual(Array(ending === undefined ? 0 : 7).fill(ending));
});

// modules#409.
test('ES module and CommonJS beside each other understand the filters of one another', () => {
  const program = `
    import { createRequire } from 'node:module';
    const esm = await import('${dist}/esm/index.js');
    const cjs = createRequire('${dist}/')('${dist}/cjs/index.js');
    const options = { capacity: 100 };
    const [one, other] = [esm.CuckooFilter.from(['a'], options), cjs.CuckooFilter.from(['b'], options)];
    one.merge(other);
    console.log(one.has('a'), one.has('b'), one.equals(cjs.CuckooFilter.deserialize(one.serialize())),
      other.contains('b'));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  expect(printed.trim()).toBe('true true true true');
});

// node#20978, jest#7780, emscripten#8400: `instanceof ArrayBuffer` is false for a buffer of another realm.
test('keys and saved bytes of another realm are what they are here', () => {
  const program = `
    const { createContext, runInContext } = require('node:vm');
    const { CuckooFilter } = require('${dist}/cjs/index.js');
    const { FilterReader } = require('${dist}/cjs/reader.js');
    const saved = CuckooFilter.from(['ab', 5]).serialize();
    const there = (code) => runInContext(code, createContext({ saved }));
    const bytes = there('Uint8Array.from(saved)'), buffer = there('Uint8Array.from(saved).buffer');
    const keys = there('[Uint8Array.of(97, 98), Uint8Array.of(97, 98).buffer, new DataView(Uint8Array.of(97, 98).buffer)]');
    console.log([bytes, buffer].flatMap((each) => [CuckooFilter.deserialize(each), new FilterReader(each)])
      .flatMap((filter) => [...filter.containsMany(keys), filter.has(there('5n'))]).map(Number).join(''),
      CuckooFilter.from(there("['a', 'b']"), there('({ capacity: 9 })')).size,
      CuckooFilter.from(there("new Set(['a', 'b', 'c'])")).size, CuckooFilter.from(there('new Uint32Array(4)').map((_, i) => i)).size);`;
  expect(
    execFileSync(process.execPath, ['--eval', program], { encoding: 'utf8', ...TIME_LIMIT }).trim(),
  ).toBe('1'.repeat(16) + ' 2 3 4');
});

// piscina#158, hash-wasm#44: many threads, each with its own memory, had no room for them.
test('forty threads at once each have their filters', async () => {
  const program = `
    const { CuckooFilter } = require('${dist}/cjs/index.js');
    const { SharedCuckooFilter } = require('${dist}/cjs/shared.js');
    const has = CuckooFilter.from(['a']).has('a') && new SharedCuckooFilter({ capacity: 9 }).add('b').has('b');
    require('node:worker_threads').parentPort.on('message', () => process.exit()).postMessage(has);`;
  const workers = Array.from(
    { length: 40 },
    () => new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }),
  );
  const answers = await Promise.all(
    workers.map(
      (worker) =>
        new Promise((resolve, reject) => void worker.once('message', resolve).once('error', reject)),
    ),
  );
  await Promise.all(workers.map(async (worker) => worker.terminate()));
  expect(answers).toEqual(Array(40).fill(true));
});
