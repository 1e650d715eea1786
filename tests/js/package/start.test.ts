// How WebAssembly is started: at first use, before it by preload, or from a module that the caller has; and what is needed
// for that. Each program runs in a process of its own, where nothing has been started.
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runModule } from '../support/command';

const dist = join(__dirname, '../../../dist');
const USE = `
  const filter = new CuckooFilter({ capacity: 1000 });
  filter.add('alice').add('a longer key, of more than fourteen characters');
  const layered = new ScalableCuckooFilter({ capacity: 10 });
  for (let i = 0; i < 100; ++i) layered.add(i);
  const seen = new ExpiringFilter({ capacity: 100, periods: 3 });
  const both = [seen.isNew('x'), seen.isNew('x')];
  const { events } = new trace.CuckooFilter({ capacity: 10 }).trace(1).add('x').takeEvents();
  const stored = new CuckooValues({ capacity: 10, valueBits: 8 }).set('x', 7);
  const counts = new CuckooCounter({ capacity: 10 }).add('x', 5);
  console.log(filter.has('alice'), filter.has('bob'), layered.has(99), layered.has(-1), both.join(), events.length);
  console.log(stored.get('x')[0], counts.count('x'));
  for (const each of [filter, layered, seen, stored, counts]) each.dispose();`;
const GOOD = 'true false true false true,false 1\n7 5';

/** What a program prints after `before`, with the package's entries by their names, and the main one as `root`. */
function run(before: string, after = USE, flags: string[] = []): string {
  const program = `
    import { readFileSync } from 'node:fs';
    const wasm = (name) => readFileSync('${dist}/wasm/' + name + '.wasm');
    const load = async () => {
      const names = ['index', 'scalable', 'expiring', 'trace', 'values', 'counter'];
      const [root, ...others] = await Promise.all(names.map((name) => import('${dist}/esm/' + name + '.js')));
      const [scalable, expiring, trace, values, counter] = others;
      return { root, scalable, expiring, trace, values, counter };
    };
    const noSync = () => {
      const refused = function () { throw new RangeError('disallowed on the main thread'); };
      for (const name of ['Module', 'Instance']) {
        const Original = WebAssembly[name];
        WebAssembly[name] = Object.assign(refused.bind(), { customSections: Original.customSections });
        Object.defineProperty(WebAssembly[name], Symbol.hasInstance, { value: (it) => it instanceof Original });
      }
    };
    ${before}
    const { CuckooFilter } = root, { ScalableCuckooFilter } = scalable, { ExpiringFilter } = expiring;
    const { CuckooValues } = values, { CuckooCounter } = counter;
    ${after}`;
  return runModule(program, flags).trim();
}

const RULE =
  "module must be this version's .wasm file for this import path: a WebAssembly.Module, bytes or a Response, got ";
const LOAD = 'const { root, scalable, expiring, trace, values, counter } = await load();';
const ALL = '[root, scalable, expiring, trace, values, counter]';

describe('WebAssembly is started', () => {
  test.each([
    ['at first use', LOAD],
    ['by preload', `${LOAD} await Promise.all(${ALL}.map((each) => each.preload()));`],
    ['by preload of a part alone', `${LOAD} await scalable.preload();`],
    [
      'by preload, twice at once and again',
      `${LOAD} for (let i = 0; i < 3; ++i) root.preload(); await root.preload();`,
    ],
    [
      'by preload where it may not be started synchronously',
      `${LOAD} noSync(); for (const each of ${ALL}) await each.preload();`,
    ],
    [
      'by preload while it is used',
      `${LOAD} const waiting = ${ALL}.map((each) => each.preload()); new root.CuckooFilter({ capacity: 1 }); await Promise.all(waiting);`,
    ],
    [
      'from modules',
      `${LOAD} const module = (name) => new WebAssembly.Module(wasm(name));
       if (root.init(module('core')) !== undefined) throw 1;
       scalable.init(module('scalable')); trace.init(module('trace'));
       expiring.init(module('expiring')); values.init(module('values')); counter.init(module('counter'));`,
    ],
    [
      'from bytes and a Response, where it may not be started synchronously',
      `${LOAD} noSync(); await root.init(wasm('core')); await scalable.init(new Response(wasm('scalable')));
       await trace.init(wasm('trace')); await expiring.init(Uint8Array.from(wasm('expiring')).buffer);
       await values.init(wasm('values')); await counter.init(wasm('counter'));`,
    ],
    ['once: later modules change nothing', `${LOAD} await root.preload(); await root.init(wasm('core'));`],
  ])('%s', (_, before) => {
    expect(run(before)).toBe(GOOD);
  });

  test('with what is no module is a TypeError that says what to give', () => {
    const given = `${LOAD} for (const wrong of [undefined, null, 5, 'core.wasm', {}])
      await root.init(wrong).catch((error) => console.log(error.name, error.message));`;
    const rule = `TypeError ${RULE}`;
    expect(run(given, '').split('\n')).toEqual(
      ['undefined', 'null', '5', '"core.wasm"', 'an object'].map((shown) => rule + shown),
    );
  });

  test('with another module is an error, after which the right one starts it', () => {
    const given = `${LOAD} const module = (name) => new WebAssembly.Module(wasm(name));
      const other = wasm('core').map((byte, i, { length }) => (i === length - 1 ? byte ^ 1 : byte));
      const tell = ({ name, code, message, cause = {} }) => console.log(name, code, message, cause.name);
      for (const [entry, wrong] of [[scalable, 'core'], [root, 'scalable'], [trace, 'core'], [expiring, 'scalable']]) {
        try { entry.init(module(wrong)); } catch (error) { tell(error); }
        await entry.init(wasm(wrong)).catch(tell);
      }
      for (const bytes of [other, new Uint8Array(8), new Response('<html>')]) await root.init(bytes).catch(tell);
      root.init(module('core')); await scalable.init(wasm('scalable'));`;
    const told = run(given).split('\n');
    const rule = `TypeError invalid-argument ${RULE}`;
    const module = '[object WebAssembly.Module]';
    expect(told.slice(0, 9)).toEqual(Array(9).fill(`${rule}${module} undefined`));
    expect(told.slice(9, 11)).toEqual(
      ['Uint8Array', 'Response'].map((given) => `${rule}[object ${given}] CompileError`),
    );
    expect(told.slice(11).join('\n')).toBe(GOOD);
  });

  test('and later modules must still be the right ones', () => {
    const given = `${LOAD} new root.CuckooFilter({ capacity: 1 }); root.init(new WebAssembly.Module(wasm('core')));
      for (const wrong of [new Uint8Array(8), wasm('trace')])
        await root.init(wrong).catch((error) => console.log(error.code));`;
    expect(run(given)).toBe(`invalid-argument\ninvalid-argument\n${GOOD}`);
  });

  test('from the module that was given, not from the one inside', () => {
    const given = `${LOAD} const compile = WebAssembly.Module; let calls = 0;
      WebAssembly.Module = new Proxy(compile, { construct(target, given) { ++calls; return new target(...given); } });
      root.init(new compile(wasm('core')));`;
    expect(run(given, 'new CuckooFilter({ capacity: 1 }); console.log(calls);')).toBe('0');
  });

  test('once, however often preload is called', () => {
    const counted = `${LOAD} const instantiate = WebAssembly.instantiate; let calls = 0;
      WebAssembly.instantiate = (...given) => (++calls, instantiate(...given));
      for (let i = 0; i < 3; ++i) await scalable.preload();`;
    expect(run(counted, 'console.log(calls);')).toBe('2'); // the core, and the part
  });

  test('for shared filters by their own preload', () => {
    const counted = `${LOAD} const compile = WebAssembly.Module; let calls = 0;
      const { preload, SharedCuckooFilter } = await import('${dist}/esm/shared.js');
      WebAssembly.Module = new Proxy(compile, { construct(target, given) { ++calls; return new target(...given); } });
      await preload();`;
    expect(
      run(counted, "console.log(new SharedCuckooFilter({ capacity: 9 }).add('a').has('a'), calls);"),
    ).toBe('true 0');
  });

  test('by the preload of the file for a plain <script>, for every class in it', () => {
    const script = `${LOAD} const { runInThisContext } = await import('node:vm');
      runInThisContext(readFileSync('${dist}/cuckoofilter-wasm.min.js', 'utf8'));
      noSync(); await CuckooFilters.preload();`;
    const use = `const options = { capacity: 9, periods: 2, valueBits: 2 };
      for (const [name, ...taken] of [['CuckooFilter'], ['ScalableCuckooFilter'], ['CuckooCounter'],
        ['ExpiringFilter', 'periods'], ['CuckooValues', 'valueBits']]) {
        const given = Object.fromEntries(['capacity', ...taken].map((option) => [option, options[option]]));
        console.log(new CuckooFilters[name](given).size);
      }`;
    expect(run(script, use).split('\n')).toEqual(Array(5).fill('0'));
  });

  test.each([
    ['where it may not be started synchronously', `${LOAD} noSync();`, []],
    ['where there is none', LOAD, ['--jitless']],
  ])('or not, and then the error says what to do: %s', (_, before, flags) => {
    const told = run(
      before,
      'try { new CuckooFilter({ capacity: 1 }); } catch (error) { console.log(error.code, error.message); }',
      flags,
    );
    expect(told).toMatch(
      /^no-webassembly WebAssembly does not start \(.+\)\. .*preload\(\).*init\(module\).*FilterReader/,
    );
  });

  test('or not by preload, whose error does not advise to call it', () => {
    const told = run(LOAD, 'await root.preload().catch((error) => console.log(error.code, error.message));', [
      '--jitless',
    ]);
    expect(told).toMatch(
      /^no-webassembly WebAssembly does not start \(.+\). Without it, use FilterReader from cuckoofilter-wasm\/reader$/,
    );
  });

  test('unless the policy of the page forbids it, which the error says', () => {
    const forbidden = `${LOAD} const refuse = () => {
        throw new WebAssembly.CompileError("neither 'wasm-unsafe-eval' nor 'unsafe-eval' is an allowed source");
      };
      WebAssembly.Module = function () { refuse(); };
      WebAssembly.compile = async () => refuse();`;
    const told = run(
      forbidden,
      `const tell = ({ code, message }) => console.log(code, message);
      try { new CuckooFilter({ capacity: 1 }); } catch (error) { tell(error); }
      await scalable.preload().catch(tell);
      await expiring.init(wasm('expiring')).catch(tell);`,
    );
    const message =
      "no-webassembly the content security policy forbids WebAssembly: add 'wasm-unsafe-eval' to script-src. Without it, use FilterReader from cuckoofilter-wasm/reader";
    expect(told.split('\n')).toEqual([message, message, message]);
  });
});

test('a host that compiles nothing is named the build for it', () => {
  const told = run(
    `${LOAD} const refuse = () => {
        throw new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder');
      };
      WebAssembly.Module = function () { refuse(); };
      WebAssembly.compile = async () => refuse();`,
    `const tell = ({ code, message }) => console.log(code, message);
      try { new CuckooFilter({ capacity: 1 }); } catch (error) { tell(error); }
      await scalable.preload().catch(tell);
      await expiring.init(wasm('expiring')).catch(tell);`,
  );
  const lines = told.split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line).toMatch(/^no-webassembly .*--conditions=workerd.*init\(module\)/);
});

/** Lets Node import a .wasm file: `given`, a program's text, tells what an import of `url` is. */
const importsOf = (given: string): string => `
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    export async function load(url, context, next) {
      if (!url.includes('.wasm')) return next(url, context);
      const source = "import { readFileSync } from 'node:fs';" +
        "const url = new URL(" + JSON.stringify(url) + "); export default ${given};";
      return { format: 'module', shortCircuit: true, source };
    }\`));`;

/** As edge hosts do it: as a compiled module. */
const EDGE_IMPORTS = importsOf('new WebAssembly.Module(readFileSync(url))');

test('where a bundler gives the bytes of a .wasm file, they are compiled; its address leads to init', () => {
  const use = `
    const { CuckooFilter, init, preload } = await import('${dist}/workerd/index.js');
    const { CuckooCounter } = await import('${dist}/workerd/counter.js');
    const { readFileSync } = await import('node:fs');
    const wasm = (name) => readFileSync('${dist}/wasm/' + name + '.wasm');`;
  const works = `console.log(new CuckooFilter({ capacity: 9 }).add('a').has('a'));
    console.log(new CuckooCounter({ capacity: 9 }).add('a', 2).count('a'));`;
  for (const first of [
    '',
    'await preload();',
    "init(new WebAssembly.Module(wasm('core')));",
    "await init(wasm('core'));",
  ])
    expect(runModule(`${importsOf('readFileSync(url)')} ${use} ${first} ${works}`).trim()).toBe('true\n2');
  const told = runModule(`${importsOf('String(url)')} ${use}
    try { new CuckooFilter({ capacity: 9 }); } catch (error) { console.log(error.code, error.message); }
    await preload().catch(({ code }) => console.log(code));
    await init(wasm('core'));
    console.log(new CuckooFilter({ capacity: 9 }).add('a').has('a'));`).trim();
  expect(told).toMatch(
    /^no-webassembly .*the bundler gives "file:.*" for a \.wasm file\).*init\(module\).*\nno-webassembly\ntrue$/,
  );
});

test.each(['workerd', 'edge-light'])(
  'on a host that compiles it, such as %s, no bytes are compiled',
  (host) => {
    const program = `${EDGE_IMPORTS}
    const { readFileSync } = await import('node:fs');
    const { init, preload, CuckooFilter } = await import('${dist}/${host}/index.js');
    const bytes = readFileSync('${dist}/wasm/core.wasm');
    const module = new WebAssembly.Module(bytes);
    WebAssembly.compile = async () => { throw new Error('forbidden'); };
    WebAssembly.Module = () => { throw new Error('forbidden'); };
    await preload();
    await init(bytes);
    init(module);
    await init(5).catch(({ code }) => console.log(code));
    const { FormatError } = await import('${dist}/esm/reader.js'); // no host has a copy of its own of what needs none
    const isShared = (await import('${dist}/${host}/index.js')).FormatError === FormatError;
    console.log(new CuckooFilter({ capacity: 9 }).add('a').has('a'), isShared);`;
    expect(runModule(program).trim()).toBe('invalid-argument\ntrue true');
  },
);

test.each(['TextEncoder', 'FinalizationRegistry', 'performance', 'Response'])(
  'the package loads and works without %s',
  (name) => {
    expect(run(`delete globalThis.${name}; ${LOAD}`)).toBe(GOOD);
  },
);
