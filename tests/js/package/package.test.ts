// The packed tarball, installed into an empty folder: it holds what it should, and works from every kind of project.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { brokenLinks } from '../docs/links';
import { TIME_LIMIT } from '../support/command';
import { AS_ONE, CONSUMER, IMPORT, STREAMS, TOGETHER, USE } from './consumer';
import { FILES } from './files';

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
      .filter((path) => !/^dist\/(esm|cjs|workerd|edge-light)\/chunk-[\w-]+\.js$/.test(path))
      .sort();
    expect(others).toEqual(FILES);
  });

  test('has every file and heading that its documents link to', () => {
    const documents = packed.files.map(({ path }) => path).filter((path) => path.endsWith('.md'));
    expect(documents).toContain('docs/api.md');
    expect(brokenLinks(join(folder, 'node_modules/cuckoofilter-wasm'), documents)).toEqual([]);
  });

  test('has short lines of code, because Node prints the one of an error that nobody catches', () => {
    for (const { path } of packed.files.filter((each) => /^dist\/.*\.js$/.test(each.path))) {
      const text = readFileSync(join(folder, 'node_modules/cuckoofilter-wasm', path), 'utf8');
      // The WebAssembly is one text, which no error points to; it has a line of its own.
      const long = text.split('\n').filter((line) => line.length > 800 && !/["'`][0-9a-f]{64}/.test(line));
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
    expect(named.length).toBeGreaterThan(50);
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
    expect(JSON.parse(told)).toEqual({ entries: 13, problems: [] });
  });

  test('stands for its entries in folders, for tools that do not read exports', () => {
    for (const entry of [
      'counter',
      'expiring',
      'file',
      'reader',
      'redis',
      'redisbloom',
      'scalable',
      'shared',
      'trace',
      'values',
    ]) {
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
      // What keeps files needs Node's own modules.
      const others = path === 'dist/esm/file.js' ? /from "(?!node:|\.\/)/ : /from\s*["'](?!\.\/)/;
      expect(text).not.toMatch(others);
      expect(text).not.toMatch(/\brequire\s*\(/);
      expect(text).not.toMatch(/\bSharedArrayBuffer\s*\(/);
      expect(text.match(/.{40}\bfetch\s*\(.{40}/)).toBeNull();
    }
  });
});

describe('installed', () => {
  test('it works from an ES module, with its trace', () => {
    expect(node('a.mjs', `import { CuckooFilter } from 'cuckoofilter-wasm'; ${USE}`)).toBe(
      'true,false,true,0',
    );
    expect(node('b.mjs', `import { CuckooFilter } from 'cuckoofilter-wasm/trace'; ${USE}`)).toBe(
      'true,false,true,0',
    );
  });

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
