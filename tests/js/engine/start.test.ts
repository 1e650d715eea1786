// How WebAssembly is started: at first use, before it by preload, or from a module that the caller has; and what is needed
// for that. Each program runs in a process of its own, where nothing has been started.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { TIME_LIMIT } from '../support/command';

const dist = join(__dirname, '../../../dist');
const USE = `
  const filter = new CuckooFilter({ capacity: 1000 });
  filter.add('alice').add('a longer key, of more than fourteen characters');
  const layered = new ScalableCuckooFilter({ capacity: 10 });
  for (let i = 0; i < 100; ++i) layered.add(i);
  const seen = new ExpiringFilter({ capacity: 100, periods: 3 });
  const both = [seen.isNew('x'), seen.isNew('x')];
  const { events } = new trace.CuckooFilter({ capacity: 10 }).trace(1).add('x').takeEvents();
  console.log(filter.has('alice'), filter.has('bob'), layered.has(99), layered.has(-1), both.join(), events.length);`;
const GOOD = 'true false true false true,false 1';

/** What a program prints after `before`, with the package as `root`, `scalable`, `expiring` and `trace`. */
function run(before: string, after = USE, flags: string[] = []): string {
  const program = `
    import { readFileSync } from 'node:fs';
    const wasm = (name) => readFileSync('${dist}/wasm/' + name + '.wasm');
    const load = async () => {
      const [root, scalable, expiring, trace] = await Promise.all(
        ['index', 'scalable', 'expiring', 'trace'].map((name) => import('${dist}/esm/' + name + '.js')),
      );
      return { root, scalable, expiring, trace };
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
    ${after}`;
  return execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
    encoding: 'utf8',
    stdio: 'pipe',
    ...TIME_LIMIT,
  }).trim();
}

const RULE =
  'module must be the .wasm file of this entry and version: a WebAssembly.Module, its bytes, or a Response with them, got ';
const LOAD = 'const { root, scalable, expiring, trace } = await load();';
const ALL = '[root, scalable, expiring, trace]';

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
       scalable.init(module('scalable')); expiring.init(module('valued')); trace.init(module('trace'));`,
    ],
    [
      'from bytes and a Response, where it may not be started synchronously',
      `${LOAD} noSync(); await root.init(wasm('core')); await scalable.init(new Response(wasm('scalable')));
       await trace.init(wasm('trace')); await expiring.init(wasm('valued').buffer.slice(...((b) => [b.byteOffset, b.byteOffset + b.length])(wasm('valued'))));`,
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
      const tell = ({ name, code, message }) => console.log(name, code, message);
      for (const [entry, wrong] of [[scalable, 'core'], [root, 'scalable'], [trace, 'core'], [expiring, 'scalable']]) {
        try { entry.init(module(wrong)); } catch (error) { tell(error); }
        await entry.init(wasm(wrong)).catch(tell);
      }
      for (const bytes of [other, new Uint8Array(8), new Response('<html>')]) await root.init(bytes).catch(tell);
      root.init(module('core')); await scalable.init(wasm('scalable'));`;
    const told = run(given).split('\n');
    const rule = `TypeError invalid-argument ${RULE}`;
    const module = '[object WebAssembly.Module]';
    expect(told.slice(0, 9)).toEqual(Array(9).fill(rule + module));
    expect(told.slice(9, 11)).toEqual([`${rule}[object Uint8Array]`, `${rule}[object Response]`]);
    expect(told.slice(11)).toEqual([GOOD]);
  });

  test('and later modules must still be the right ones', () => {
    const given = `${LOAD} new root.CuckooFilter({ capacity: 1 }); root.init(new WebAssembly.Module(wasm('core')));
      for (const wrong of [new Uint8Array(8), wasm('trace')])
        await root.init(wrong).catch((error) => console.log(error.code));`;
    expect(run(given).split('\n')).toEqual(['invalid-argument', 'invalid-argument', GOOD]);
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
      /^no-webassembly WebAssembly cannot be started here \(.+\)\. .*preload\(\).*init\(module\).*FilterReader/,
    );
  });
});

test.each(['TextEncoder', 'FinalizationRegistry', 'performance', 'Response'])(
  'the package loads and works without %s',
  (name) => {
    const keys =
      name === 'TextEncoder' ? USE.replace('a longer key, of more than fourteen characters', 'short') : USE;
    expect(run(`delete globalThis.${name}; ${LOAD}`, keys)).toBe(GOOD);
  },
);

test('a key that needs TextEncoder says so where there is none', () => {
  const told = run(
    `delete globalThis.TextEncoder; ${LOAD}`,
    `try { new CuckooFilter({ capacity: 9 }).add('ein Schlüssel'); } catch (error) { console.log(String(error)); }`,
  );
  expect(told).toBe(
    'TypeError: this key needs TextEncoder, which does not exist here: give its UTF-8 bytes, or define TextEncoder',
  );
});
