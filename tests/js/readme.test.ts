// The README's code is run as it stands there.
import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CuckooFilter } from 'cuckoofilter-wasm';

const root = join(__dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

function blocks(language: string): string[] {
  return [...readme.matchAll(new RegExp('^```' + language + '\\n(.*?)^```', 'gms'))].map(
    ([, code = '']) => code,
  );
}

/** What a block's `console.log` lines promise in their comments. */
function promised(code: string): string[] {
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map(([, text = '']) => text);
}

test.each(blocks('js').map((code, i) => [i + 1, code] as const))(
  'JavaScript block %i prints what it promises',
  (i, code) => {
    const folder = join(root, 'build/readme');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `block-${i}.mjs`);
    writeFileSync(file, code);
    const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' });
    for (const line of promised(code)) expect(printed.split('\n')).toContain(line);
    if (code.includes('/trace')) expect(printed).toBe('begin locate probe place encode end\n');
  },
);

test('the command lines do what they are there for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-readme-'));
  const files = {
    'access.log': 'a\nb\na\n',
    'users.csv.gz': gzipSync('7,ann\n8,bob\n9,ann\n'),
    'ids.txt': '1\n2\n',
    'new-ids.txt': '2\n3\n',
    'shard-1.cuckoo': CuckooFilter.from(['1'], { capacity: 2 }).serialize(),
    'shard-2.cuckoo': CuckooFilter.from(['2'], { capacity: 2 }).serialize(),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const lines = [...readme.matchAll(/^ {4}npx cuckoofilter-wasm ([^#\n]*)/gm)].map(([, words = '']) => words);
  const printed = lines.map((words) =>
    execFileSync(process.execPath, [join(root, 'dist/cli.js'), ...words.trim().split(/ +/)], {
      cwd: folder,
      encoding: 'utf8',
    }),
  );
  const merged = CuckooFilter.deserialize(readFileSync(join(folder, 'all.cuckoo')));
  expect(merged.containsMany(['1', '2'])).toEqual(Uint8Array.of(1, 1));
  rmSync(folder, { recursive: true });
  const info: unknown = expect.stringMatching(/^keys +2$/m);
  expect(printed).toEqual(['a\nb\n', '7,ann\n8,bob\n', '', '3\n', '', info]);
});

test('the first block starts by line 20 and has no more than 12 lines', () => {
  const before = readme.slice(0, readme.indexOf('```js')).split('\n').length;
  expect(before).toBeLessThanOrEqual(20);
  expect(blocks('js')[0]?.trim().split('\n').length).toBeLessThanOrEqual(12);
});

test("the C++ block's lines are those of cpp/examples/basic.cpp", () => {
  const example = readFileSync(join(root, 'cpp/examples/basic.cpp'), 'utf8').split('\n');
  for (const line of blocks('cpp')[0]?.split('\n') ?? []) expect(example).toContain(line);
});

test('the relative links lead to files', () => {
  for (const [, target = ''] of readme.matchAll(/\]\((?!https:)([^)]+)\)/g)) {
    expect(readFileSync(join(root, target)).length).toBeGreaterThan(0);
  }
});
