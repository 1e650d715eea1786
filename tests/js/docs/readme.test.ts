// The code in the README and in docs/ is run as it stands there. The links of every document lead somewhere; where they
// lead in the tarball is tested in package/package.test.ts.
import { describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  CuckooFilter,
  DisposedError,
  FilterFullError,
  InvalidKeyError,
  OutOfMemoryError,
} from 'cuckoofilter-wasm';
import { FilterBusyError } from 'cuckoofilter-wasm/shared';
import { TIME_LIMIT } from '../support/command';
import { problemsOf } from '../support/compiled';
import { integers } from '../support/integers';
import { folder as scratch } from '../support/scratch';
import { brokenLinks } from './links';

const root = join(__dirname, '../../..');
const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);
const pages = ['README.md', 'README.zh.md', ...docs];
const documents = [
  ...pages,
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'tests/soak/README.md',
  'tests/conformance/README.md',
  'tests/golden/README.md',
  'tests/bench/README.md',
  'tests/mutants/README.md',
  'scripts/release/README.md',
];

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

function blocks(page: string, language: string): string[] {
  return [...textOf(page).matchAll(new RegExp('^```' + language + '\\n(.*?)^```', 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** What a block's `console.log` lines promise in their comments, and what is printed on its own behalf. */
function promised(code: string): string[] {
  const printed = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text = '']) => text);
  const traced = /^filter\.add\(.*\); \/\/ (begin .*)$/m.exec(code)?.[1];
  return traced === undefined ? printed : [...printed, traced];
}

describe.each(pages.filter((page) => blocks(page, 'js').length > 0))('the JavaScript of %s', (page) => {
  test.each(blocks(page, 'js').map((code, i) => [i + 1, code] as const))(
    'prints in block %i what it promises',
    (i, code) => {
      const folder = join(root, 'build/readme');
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${i}.mjs`);
      writeFileSync(file, code);
      const printed = execFileSync(process.execPath, [file], {
        cwd: folder,
        env: { ...process.env, TMPDIR: scratch }, // where the code leaves files
        encoding: 'utf8',
        ...TIME_LIMIT,
      });
      for (const line of promised(code)) expect(printed.split('\n')).toContain(line);
    },
  );
});

test('the JavaScript of the documents has the right types, as editors check it', () => {
  const files = pages.flatMap((page) =>
    blocks(page, 'js').map((code, i) => [`${page.replaceAll(/\W/g, '-')}-${i + 1}.mts`, code]),
  );
  expect(files.length).toBeGreaterThan(30);
  const settings = {
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
    types: ['node'],
    strict: false,
    exactOptionalPropertyTypes: false,
    skipLibCheck: true,
  };
  expect(problemsOf(Object.fromEntries(files) as Record<string, string>, settings)).toEqual([]);
});

test('the command lines do what they are there for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-readme-'));
  const files = {
    'access.log': 'a\nb\na\n',
    'users.csv.gz': gzipSync('id,email\n7,"ann"\n8,bob\n9,ann\n'),
    'events.ndjson': '{"id":1}\n{"id":2}\n{"id":1}\n',
    'ids.txt': '1\n2\n',
    'new.txt': '2\n4\n4\n',
    'new-ids.txt': '2\n3\n',
    'shard-1.cuckoo': CuckooFilter.from(['1'], { capacity: 2 }).serialize(),
    'shard-2.cuckoo': CuckooFilter.from(['2'], { capacity: 2 }).serialize(),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const lines = [...textOf('docs/guides/command-line.md').matchAll(/^ {4}npx cuckoofilter-wasm ([^#\n]*)/gm)];
  const printed = lines.map(([, line = '']) => {
    const [words = '', target] = line.split('>');
    const text = execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...words.trim().split(/ +/)], {
      cwd: folder,
      encoding: 'utf8',
      ...TIME_LIMIT,
    });
    if (target !== undefined) writeFileSync(join(folder, target.trim()), text);
    return text;
  });
  const merged = CuckooFilter.deserialize(readFileSync(join(folder, 'all.cuckoo')));
  expect(merged.containsMany(['1', '2'])).toEqual(Uint8Array.of(1, 1));
  rmSync(folder, { recursive: true });
  expect(printed).toEqual([
    '2\n4\n',
    'a\nb\n',
    'id,email\n7,"ann"\n8,bob\n',
    '{"id":1}\n{"id":2}\n',
    '3\n',
    '',
    expect.stringMatching(/^keys +2$/m),
    expect.stringMatching(/^capacity +\d{7}$/m),
  ]);
});

test('the table of errors has the code of each class that has one', () => {
  const [, table = ''] = textOf('docs/api.md').split('## Errors');
  const codes = [...table.matchAll(/^\| `(\w+)`.*: `([\w-]+)` \|/gm)].map(
    ([, name, code]) => `${name} ${code}`,
  );
  expect(codes).toEqual([
    `FilterFullError ${new FilterFullError('', 'full', 0).code}`,
    `InvalidKeyError ${new InvalidKeyError('').code}`,
    `OutOfMemoryError ${new OutOfMemoryError('').code}`,
    'TypeError invalid-argument',
    'Error no-webassembly',
    `DisposedError ${new DisposedError('').code}`,
    `FilterBusyError ${new FilterBusyError().code}`,
  ]);
});

test.each(['README.md', 'README.zh.md'])(
  '%s names the two commands for a clone before its first heading',
  (page) => {
    const screen = (textOf(page).split('\n## ')[0] ?? '').split('\n');
    const scripts = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts;
    for (const [command, script] of [
      ['npm start', 'start'],
      ['npm test', 'test'],
    ] as const) {
      expect(screen).toContainEqual(expect.stringMatching(new RegExp(`^ {4}${command} # `)));
      expect(scripts).toHaveProperty(script);
    }
    expect(screen.join('\n')).toContain('CONTRIBUTING.md');
  },
);

test.each(['README.md', 'README.zh.md'])('%s has pictures that are there, for dark and for light', (page) => {
  const names = [...textOf(page).matchAll(/(?:src|srcset)="([^"]*)"/g)].map(([, name = '']) => name);
  expect(names).toHaveLength(2);
  for (const name of names) expect(textOf(name.slice(name.indexOf('docs/')))).toMatch(/^<svg /);
});

test('the README names the tarball that npm pack makes, until the package is on npm', () => {
  const { name, version } = JSON.parse(textOf('package.json')) as { name: string; version: string };
  for (const page of ['README.md', 'README.zh.md']) {
    const named = [...textOf(page).matchAll(/[\w-]+-[\d.]+\.tgz/g)].map(([tarball]) => tarball);
    expect(named).toEqual(textOf(page).includes('<!--unpublished-->') ? [`${name}-${version}.tgz`] : []);
  }
});

test('the README leads to every page in docs that is in the tarball, and docs/inside/README.md to the others', () => {
  const isInside = (page: string): boolean => page.startsWith('docs/inside/');
  const index = textOf('docs/inside/README.md');
  const lost = docs.filter(
    (page) => !isInside(page) && !textOf('README.md').includes(`](${page.replace('.zh.md', '.md')}`),
  );
  expect(lost).toEqual([]);
  const others = docs.filter(isInside).map((page) => page.replace('docs/inside/', ''));
  expect(others.filter((page) => page !== 'README.md' && !index.includes(`](${page}`))).toEqual([]);
});

test('the Chinese README has the links, the code and the figures of the English one', () => {
  const partsOf = (page: string): unknown => {
    const text = textOf(page);
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to.replace('.zh.md', '.md'));
    // Comments are translated, but not what is printed.
    const code = blocks(page, 'js').map((block) => block.replaceAll(/^(?!console)(.*;) \/\/ .*$/gm, '$1'));
    const commands = text.match(/^ {4}np[mx] [^#\n]*?(?= *#|$)/gm);
    const inCells = text.match(/`npm run [^`]*`|\d+(\.\d+)? (s|MB|kB|%)(?![\w])/g);
    return { links: links.sort(), code, commands, figures: inCells?.sort() };
  };
  expect(partsOf('README.zh.md')).toEqual(partsOf('README.md'));
});

test('the recipes in docs/guides/save.md are the examples, which store.test.ts runs', () => {
  const names = ['store-indexeddb', 'fill-worker', 'fill'];
  expect(blocks('docs/guides/save.md', 'javascript')).toEqual(
    names.map((name) => readFileSync(join(root, `js/examples/${name}.mjs`), 'utf8')),
  );
});

test('the relative links of every document lead to files, and to headings that are there', () => {
  expect(brokenLinks(root, documents)).toEqual([]);
});

test('copies fill a filter early, as the pitfalls say', () => {
  const share = (copies: number): number => {
    using filter = new CuckooFilter({ capacity: 100_000 });
    const keys = Uint32Array.from({ length: 100_000 }, (_, i) => Math.floor(i / copies));
    expect(() => filter.addMany(keys)).toThrow(FilterFullError);
    return filter.size / 100_000;
  };
  expect(share(2)).toBeCloseTo(0.9, 1);
  expect(share(4)).toBeCloseTo(0.54, 1);
});

test('filters that grow take the bits per key that the documents say', () => {
  /** The most and the fewest bits per key from `capacity` keys on: both are reached where the table doubles. */
  const extremesOf = (capacity: number, maxCapacity: number, most: number): number[] => {
    let hasGrown = false;
    using filter = new CuckooFilter({ capacity, maxCapacity, onGrow: () => (hasGrown = true) });
    const found: number[] = [];
    let bytes = filter.byteLength;
    for (let size = 1; size <= most; ++size) {
      filter.add(size);
      if (hasGrown) {
        if (size - 1 > capacity) found.push((8 * bytes) / (size - 1));
        bytes = filter.byteLength;
      }
      if (size > capacity && (hasGrown || size === capacity + 1 || size === most))
        found.push(filter.bitsPerKey);
      hasGrown = false;
    }
    return found.map(Math.round);
  };
  const bitsPerKey = (capacity: number, maxCapacity: number, count: number): number => {
    using filter = new CuckooFilter({ capacity, maxCapacity });
    filter.addMany(integers(0, count));
    return Math.round(filter.bitsPerKey);
  };
  const found = [
    [100, 1e6],
    [1000, 1e6],
    [1000, 1e9],
  ].flatMap(([capacity = 0, maxCapacity = 0]) => extremesOf(capacity, maxCapacity, 100_000));
  expect([Math.min(...found), Math.max(...found)]).toEqual([17, 63]);
  expect(textOf('README.md')).toContain('a growable filter takes 17 to 63 bits per key');
  expect(bitsPerKey(1000, 1e6, 200_000)).toBe(18);
  expect(textOf('docs/pitfalls.md')).toMatch(/`maxCapacity` of a million, 200,000 keys take 18 bits/);
  expect([bitsPerKey(10_000, 1e7, 200_000), bitsPerKey(10_000, 1e7, 1e6)]).toEqual([28, 20]);
  expect(textOf('docs/guides/grow.md')).toMatch(
    /ten\s+million, 200,000 keys take 28 bits each, and a million take 20/,
  );
});
